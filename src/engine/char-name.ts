// The names of characters (R7RS 6.6), which the reader and the printer share.

export const CHAR_NAMES: ReadonlyMap<string, number> = new Map(Object.entries({
  alarm: 7,
  backspace: 8,
  delete: 127,
  escape: 27,
  newline: 10,
  null: 0,
  return: 13,
  space: 32,
  tab: 9,
}))
