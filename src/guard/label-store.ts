// Which labels files were written under, by real path and content, across sessions: lines of JSON that
// are only ever appended to, in the program's own folder.

import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A file's content under a path, or an object of git. */
interface Entry {
  path?: string
  /** SHA-256 of the content. */
  hash?: string
  /** Ids of git's objects: of a content, those that it has as a blob. */
  objects: string[]
  labels: string[]
}

export class LabelStore {
  private readonly file: string | null
  private readonly byPath = new Map<string, Set<string>>()
  private readonly byHash = new Map<string, Set<string>>()
  private readonly byObject = new Map<string, Set<string>>()
  private endsInLine = true

  private constructor(file: string | null) {
    this.file = file
  }

  /** `file` null: nothing is kept. A last line that was cut off is dropped; any other that cannot be read
   * throws, since labels would be lost. */
  static async open(file: string | null): Promise<LabelStore> {
    const store = new LabelStore(file)
    const text = file === null ? '' : await readOrEmpty(file)
    const lines = text.split('\n')
    store.endsInLine = lines.at(-1) === ''
    for (const [i, line] of lines.entries()) {
      if (line === '') continue
      const entry = parseEntry(line)
      if (entry) store.add(entry)
      else if (i < lines.length - 1 && !isCutOff(line)) throw new Error(`${file}: line ${i + 1} holds no labels`)
    }
    return store
  }

  record(path: string, content: Uint8Array, labels: Iterable<string>): Promise<void> {
    return this.keep({ path, hash: hashOf(content), objects: blobIds(content), labels: [...labels].sort() })
  }

  recordObject(id: string, labels: Iterable<string>): Promise<void> {
    return this.keep({ objects: [id], labels: [...labels].sort() })
  }

  private async keep(entry: Entry): Promise<void> {
    const known = this.placesOf(entry).map(([map, key]) => map.get(key))
    if (known.every((some) => entry.labels.every((label) => some?.has(label)))) return
    this.add(entry)
    if (this.file === null) return
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 })
    // One write, so that two sessions do not mix their lines.
    await appendFile(this.file, `${this.endsInLine ? '' : '\n'}${JSON.stringify(entry)}\n`, { mode: 0o600 })
    this.endsInLine = true
  }

  /** Of this content wherever it lies: a copy or a renamed file keeps its labels. The empty content has none. */
  labelsOf(content: Uint8Array): string[] {
    if (content.length === 0 || this.byHash.size === 0) return []
    return [...(this.byHash.get(hashOf(content)) ?? [])]
  }

  /** Of every content that this path was written with: a file edited since is part of what it was. */
  labelsAt(path: string): string[] {
    return [...(this.byPath.get(path) ?? [])]
  }

  labelsOfObject(id: string): string[] {
    return [...(this.byObject.get(id) ?? [])]
  }

  private add(entry: Entry): void {
    for (const [map, key] of this.placesOf(entry)) map.set(key, new Set([...(map.get(key) ?? []), ...entry.labels]))
  }

  private placesOf({ path, hash, objects }: Entry): [map: Map<string, Set<string>>, key: string][] {
    return [
      ...(path === undefined ? [] : [[this.byPath, path] as [Map<string, Set<string>>, string]]),
      ...(hash === undefined ? [] : [[this.byHash, hash] as [Map<string, Set<string>>, string]]),
      ...objects.map((id) => [this.byObject, id] as [Map<string, Set<string>>, string]),
    ]
  }
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** In a repository of SHA-1, and in one of SHA-256. All empty files are one object, which says nothing. */
function blobIds(content: Uint8Array): string[] {
  if (content.length === 0) return []
  return ['sha1', 'sha256'].map((algorithm) => createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest('hex'))
}

async function readOrEmpty(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

function parseEntry(line: string): Entry | null {
  try {
    const { path, hash, objects = [], labels } = JSON.parse(line) as Partial<Entry>
    const isWhole = (typeof path === 'string' && typeof hash === 'string') || objects.length > 0
    if (!isWhole || !Array.isArray(objects) || !Array.isArray(labels)) return null
    return { ...(path === undefined || hash === undefined ? {} : { path, hash }), objects: objects.filter(isText), labels: labels.filter(isText) }
  } catch {
    return null
  }
}

/** What a crash left before a later session went on in a new line. */
function isCutOff(line: string): boolean {
  return line.startsWith('{') && !line.endsWith('}')
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
