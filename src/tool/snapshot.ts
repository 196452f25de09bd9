// What a program changed in the workspace that no plan foretold: the files before it ran and after, as
// trees in a git repository of our own beside the versions. Only where the workspace is a git repository,
// since its .gitignore says which files matter.

import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import type { Change, Kind } from './change.ts'
import { repositoryTop, runGit } from './git-program.ts'
import { ToolError } from './tool-error.ts'
import type { Workspace } from './workspace.ts'

/** The first one of a large tree takes some seconds; one that takes longer is given up for good. */
const TIMEOUT_MS = 20_000
const MOST_CHANGES = 1000
/** Beyond that all is taken anew: what matters of the old trees is in the versions store. */
const MOST_KILOBYTES = 1_000_000
/** In files and bytes as they are, and never in what a filter or a line-end setting makes of them. */
const ATTRIBUTES = '* -text -eol -filter -ident -working-tree-encoding\n'
const CONFIG = '[core]\n repositoryformatversion = 0\n bare = false\n compression = 0\n fsync = none\n autocrlf = false\n'

export class Snapshots {
  private readonly gitDir: string
  private readonly workspace: Workspace
  private isGivenUp = false
  private isChecked = false

  constructor(folder: string, workspace: Workspace) {
    this.gitDir = join(folder, 'snapshot.git')
    this.workspace = workspace
  }

  /** The tree of all files that git does not ignore; null where there is no repository, or it would take
   * too long. */
  async take(): Promise<string | null> {
    if (this.isGivenUp) return null
    try {
      const top = repositoryTop(this.workspace.root)
      await this.create(join(top, '.git/info/exclude'))
      // 1: some files could not be read.
      await this.git(['add', '--all', '--ignore-errors', '--', '.'], [1])
      return (await this.git(['write-tree'])).trim()
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
      this.isGivenUp = true
      return null
    }
  }

  /** What differs between two trees, with the bytes before and after. */
  async changes(before: string, after: string): Promise<Change[]> {
    if (before === after) return []
    const fields = (await this.git(['diff-tree', '-r', '-z', '--no-renames', '--relative', before, after])).split('\0')
    const changes: Change[] = []
    for (let i = 0; i + 1 < fields.length && changes.length < MOST_CHANGES; i += 2) {
      const [oldMode, newMode, oldHash, newHash] = fields[i]!.slice(1).split(' ') as [string, string, string, string]
      const kind = kindOf(oldMode) ?? kindOf(newMode)
      if (kind === null || oldHash === newHash) continue
      const given = fields[i + 1]!
      const mode = parseInt((kindOf(oldMode) ? oldMode : newMode).slice(-3), 8)
      const contents = await Promise.all([this.content(oldMode, oldHash), this.content(newMode, newHash)]).catch(() => null)
      // git keeps a very large file in another form: it is passed over.
      if (contents === null) continue
      changes.push({ path: join(this.workspace.root, given), given, kind, before: contents[0], after: contents[1], mode })
    }
    return changes
  }

  private async content(mode: string, hash: string): Promise<Uint8Array | null> {
    if (kindOf(mode) === null) return null
    const object = inflateSync(await readFile(join(this.gitDir, 'objects', hash.slice(0, 2), hash.slice(2))))
    return object.subarray(object.indexOf(0) + 1)
  }

  private async create(exclude: string): Promise<void> {
    if (this.isChecked || (existsSync(join(this.gitDir, 'HEAD')) && (await this.kilobytes()) < MOST_KILOBYTES)) {
      this.isChecked = true
      return
    }
    await rm(this.gitDir, { recursive: true, force: true })
    for (const name of ['refs', 'objects', 'info']) await mkdir(join(this.gitDir, name), { recursive: true, mode: 0o700 })
    await writeFile(join(this.gitDir, 'config'), `${CONFIG} excludesFile = ${JSON.stringify(exclude)}\n`)
    await writeFile(join(this.gitDir, 'info/attributes'), ATTRIBUTES)
    await writeFile(join(this.gitDir, 'HEAD'), 'ref: refs/heads/none\n')
  }

  /** Of all trees that were ever taken. */
  private async kilobytes(): Promise<number> {
    return Number(/^size: (\d+)/m.exec(await this.git(['count-objects', '-v']))?.[1] ?? 0)
  }

  private git(args: string[], codes: number[] = []): Promise<string> {
    return runGit(args, { workspace: this.workspace, signal: new AbortController().signal }, { gitDir: this.gitDir, codes, timeoutMs: TIMEOUT_MS })
  }
}

/** Null for a submodule, and for what is not there. */
function kindOf(mode: string): Kind | null {
  if (mode === '120000') return 'link'
  return mode.startsWith('100') ? 'file' : null
}
