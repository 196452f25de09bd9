// What a tool that changes files plans to do to one of them.

/** What stands at a path. Of a link the bytes are where it leads, of a folder there are none. */
export type Kind = 'file' | 'link' | 'folder'

/** What stands at one path before and after; `before` null: create, `after` null: remove.
 * The same object is judged, shown, kept in the versions store and written. */
export interface Change {
  /** The real path, absolute, links followed; of a link that is itself created or removed, its own. */
  path: string
  /** As the caller gave it. */
  given: string
  /** Default: a file. A change never turns one kind into another. */
  kind?: Kind
  before: Uint8Array | null
  after: Uint8Array | null
  /** Permission bits to set, where they are not those of the file before. */
  mode?: number
}

/** Whether a plan only moves this content: another of its changes takes the same bytes away. What was
 * there before is new to nobody. */
export function isMoved({ after }: Change, changes: readonly Change[]): boolean {
  return after !== null && after.length > 0 && changes.some(({ before, after: left }) => left === null && before !== null && isSame(before, after))
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && Buffer.compare(one, other) === 0
}
