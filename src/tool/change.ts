// What a tool that changes files plans to do to one of them.

/** One file's bytes before and after; `before` null: create, `after` null: remove.
 * The same object is judged, shown, kept in the versions store and written. */
export interface Change {
  /** The real path, absolute, links followed. */
  path: string
  /** As the caller gave it. */
  given: string
  before: Uint8Array | null
  after: Uint8Array | null
  /** Permission bits to set, where they are not those of the file before. */
  mode?: number
}
