// Earlier contents of files, by hash, in a folder outside the workspace. The index is a file of JSON
// lines that only grows; a line cut off by a crash is passed over. When the contents take too much
// space, the oldest go first, never the newest of a file.

import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile, readdir, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolError } from './tool-error.ts'
import type { Version, Versions } from './workspace.ts'

const MOST_BYTES = 500_000_000

export class VersionStore implements Versions {
  private readonly folder: string
  private readonly most: number

  constructor(folder: string, most = MOST_BYTES) {
    this.folder = folder
    this.most = most
  }

  async keep(path: string, content: Uint8Array | null, mode: number, why: { session: string; call: string }): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const hash = content && createHash('sha256').update(content).digest('hex')
    if (hash !== null) await this.keepContent(hash, content!)
    const version: Version = { path, hash, mode, ...why, time: new Date().toISOString() }
    // A line begins on a line of its own even where the one before it was cut off.
    const start = (await endsInNewline(this.index)) ? '' : '\n'
    await appendFile(this.index, `${start}${JSON.stringify(version)}\n`, { mode: 0o600 })
    await this.dropOldest()
  }

  private async keepContent(hash: string, content: Uint8Array): Promise<void> {
    const file = join(this.folder, hash)
    if (await exists(file)) return
    await writeFile(`${file}.part`, content, { mode: 0o600, flush: true })
    await rename(`${file}.part`, file)
  }

  async list(path?: string): Promise<Version[]> {
    const versions = (await this.read()).filter((version) => path === undefined || version.path === path)
    return versions.reverse()
  }

  async content({ path, hash }: Version): Promise<Uint8Array | null> {
    if (hash === null) return null
    try {
      return await readFile(join(this.folder, hash))
    } catch {
      throw new ToolError('other', `that version of ${path} was dropped to save space`)
    }
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
        return line === '' ? [] : [JSON.parse(line) as Version]
      } catch {
        return []
      }
    })
  }

  private async dropOldest(): Promise<void> {
    const sizes = new Map<string, number>()
    let total = 0
    for (const name of await readdir(this.folder)) {
      if (!/^[0-9a-f]{64}$/.test(name)) continue
      const { size } = await stat(join(this.folder, name))
      sizes.set(name, size)
      total += size
    }
    if (total <= this.most) return
    const versions = await this.read()
    const newest = new Set(new Map(versions.map(({ path, hash }) => [path, hash])).values())
    for (const { hash } of versions) {
      const size = hash === null ? undefined : sizes.get(hash)
      if (hash === null || size === undefined || newest.has(hash)) continue
      await unlink(join(this.folder, hash))
      sizes.delete(hash)
      total -= size
      if (total <= this.most) return
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

async function endsInNewline(path: string): Promise<boolean> {
  const text = await readFile(path).catch(() => null)
  return text === null || text.length === 0 || text.at(-1) === 10
}
