// The directory that tools work in: which file a path names, its bytes, and the one place that writes.

import type { Change, Kind } from './change.ts'

/** Which file a path names, found without opening it. */
export interface Target {
  given: string
  /** Absolute, normalised, before links are followed. */
  lexical: string
  /** Absolute, every link followed; of a file that does not exist, its deepest existing ancestor's real
   * path with the rest appended. */
  real: string
  /** `real` relative to the root with `/`, "" for the root itself; null where it lies outside. */
  relative: string | null
  kind: 'file' | 'directory' | 'missing' | 'other'
  /** How many names the file has (hard links); 0 where it is missing. */
  links: number
}

export interface Workspace {
  /** Absolute real path. */
  readonly root: string
  /** A folder outside the root, for what can be made anew at any time; it may not exist yet. */
  readonly cache: string
  readonly versions: Versions
  /** Throws ToolError for a path that can name nothing (NUL byte, a loop of links, a name too long). */
  resolve(path: string): Promise<Target>
  /** The bytes of a regular file inside the root. Throws ToolError with words fit for a model. */
  read(path: string): Promise<{ target: Target; bytes: Uint8Array }>
  /** Writes the changes, each only where the disk still holds `before`; keeps `before` in the versions
   * store first. Where one of several fails, those before it are taken back; a program that is killed
   * between two leaves the first, and its earlier version. */
  commit(changes: Change[], why: { session: string; call: string }): Promise<void>
  /** What the files are, before a program runs that may change any of them; null where that is not kept. */
  snapshot(): Promise<Snapshot | null>
}

export interface Snapshot {
  /** What changed since, the earlier contents in the versions store. */
  keepChanges(why: { session: string; call: string }): Promise<Change[]>
}

/** What stood at a path before a change. `hash` null: nothing did. */
export interface Version {
  path: string
  kind: Kind
  hash: string | null
  mode: number
  session: string
  call: string
  /** ISO time. */
  time: string
}

export interface Versions {
  keep(change: Pick<Change, 'path' | 'kind' | 'before'>, mode: number, why: { session: string; call: string }): Promise<void>
  /** The kept versions of one path, or of all, the newest first. */
  list(path?: string): Promise<Version[]>
  /** Bytes of its content; null where there is none, or it was dropped. */
  size(version: Version): Promise<number | null>
  /** The content of a version; throws ToolError where it was dropped to save space. */
  content(version: Version): Promise<Uint8Array | null>
}
