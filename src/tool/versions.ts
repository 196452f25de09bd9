// Earlier contents of files, by hash, in a folder outside the workspace. The index is a file of JSON
// lines that only grows; a line cut off by a crash is passed over. When the contents take too much
// space, the oldest go first, never the newest of a file.

import { createHash, randomBytes } from 'node:crypto'
import { appendFile, mkdir, open, readFile, readdir, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Change } from './change.ts'
import { ToolError } from './tool-error.ts'
import type { Version, Versions } from './workspace.ts'

const MOST_BYTES = 500_000_000

export class VersionStore implements Versions {
  private readonly folder: string
  private readonly most: number
  /** Bytes of the contents kept; null until they were counted. Other programs may add to them: what is
   * too much is counted anew before anything is dropped. */
  private total: number | null = null

  constructor(folder: string, most = MOST_BYTES) {
    this.folder = folder
    this.most = most
  }

  async keep({ path, kind = 'file', before }: Pick<Change, 'path' | 'kind' | 'before'>, mode: number, why: { session: string; call: string }): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const hash = before && hashOf(before)
    if (hash !== null) await this.keepContent(hash, before!)
    const version: Version = { path, kind, hash, mode, ...why, time: new Date().toISOString() }
    // A line begins on a line of its own even where the one before it was cut off.
    const start = (await endsInNewline(this.index)) ? '' : '\n'
    await appendFile(this.index, `${start}${JSON.stringify(version)}\n`, { mode: 0o600, flush: true })
    this.total ??= sum((await this.sizes()).values())
    if (this.total > this.most) await this.dropOldest()
  }

  private async keepContent(hash: string, content: Uint8Array): Promise<void> {
    const file = join(this.folder, hash)
    if (await exists(file)) return
    const part = `${file}.${randomBytes(4).toString('hex')}.part`
    await writeFile(part, content, { mode: 0o600, flush: true })
    await rename(part, file)
    if (this.total !== null) this.total += content.length
  }

  async list(path?: string): Promise<Version[]> {
    const versions = (await this.read()).filter((version) => path === undefined || version.path === path)
    return versions.reverse()
  }

  async content({ path, hash }: Version): Promise<Uint8Array | null> {
    if (hash === null) return null
    const content = await readFile(join(this.folder, hash)).catch(() => null)
    if (content === null) throw new ToolError('other', `that version of ${path} was dropped to save space`)
    if (hashOf(content) !== hash) throw new ToolError('other', `that version of ${path} was damaged on the disk`)
    return content
  }

  async size({ hash }: Version): Promise<number | null> {
    if (hash === null) return null
    return stat(join(this.folder, hash)).then(
      ({ size }) => size,
      () => null,
    )
  }

  private get index(): string {
    return join(this.folder, 'index.jsonl')
  }

  private async read(): Promise<Version[]> {
    let text: string
    try {
      text = await readFile(this.index, 'utf8')
    } catch {
      return []
    }
    return text.split('\n').flatMap((line) => {
      try {
        // Lines of earlier releases name no kind.
        return line === '' ? [] : [{ kind: 'file', ...(JSON.parse(line) as Omit<Version, 'kind'>) }]
      } catch {
        return []
      }
    })
  }

  private async dropOldest(): Promise<void> {
    const sizes = await this.sizes()
    this.total = sum(sizes.values())
    const versions = await this.read()
    const newest = new Set(new Map(versions.map(({ path, hash }) => [path, hash])).values())
    for (const { hash } of versions) {
      if (this.total <= this.most) return
      const size = hash === null ? undefined : sizes.get(hash)
      if (hash === null || size === undefined || newest.has(hash)) continue
      await unlink(join(this.folder, hash))
      sizes.delete(hash)
      this.total -= size
    }
  }

  /** Of the contents kept, by hash. */
  private async sizes(): Promise<Map<string, number>> {
    const names = (await readdir(this.folder)).filter((name) => /^[0-9a-f]{64}$/.test(name))
    const stats = await Promise.all(names.map((name) => stat(join(this.folder, name))))
    return new Map(names.map((name, i) => [name, stats[i]!.size]))
  }
}

/** SHA-256, in hexadecimal. */
export function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function sum(sizes: Iterable<number>): number {
  let total = 0
  for (const size of sizes) total += size
  return total
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

async function endsInNewline(path: string): Promise<boolean> {
  const file = await open(path).catch(() => null)
  if (file === null) return true
  try {
    const { size } = await file.stat()
    if (size === 0) return true
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
    return buffer[0] === 10
  } finally {
    await file.close()
  }
}
