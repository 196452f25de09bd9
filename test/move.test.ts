// fs-move, fs-remove and their undoing, in real folders: nothing is replaced or lost, links and modes are
// kept, and what fails half way leaves all as it was.

import { chmodSync, mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bindByName } from '../src/tool/bind.ts'
import type { CommitHooks } from '../src/tool/commit.ts'
import { diffOf } from '../src/tool/diff.ts'
import { findPrim } from '../src/tool/index.ts'
import { fromPlain } from '../src/tool/json.ts'
import { openWorkspace } from '../src/tool/open.ts'
import { ToolError, type ToolContext } from '../src/tool/prim.ts'
import { makeFolder, play, readText } from './help.ts'

interface Opened {
  root: string
  /** Does a call as the door does; its text, or the words of its failure. */
  use(name: string, given: object): Promise<string>
  /** The diff that a call would show. */
  diff(name: string, given: object): Promise<string>
}

async function open(files: Record<string, string> = {}, hooks: CommitHooks = {}): Promise<Opened> {
  const root = makeFolder(files)
  const workspace = await openWorkspace(root, { state: makeFolder(), hooks })
  const context = { workspace, signal: new AbortController().signal } as unknown as ToolContext
  const plan = (name: string, given: object) => findPrim(name)!.plan!(bindByName(findPrim(name)!, fromPlain(given)).args, context)
  return {
    root,
    async use(name, given) {
      try {
        const { changes, result } = await plan(name, given)
        await workspace.commit(changes, { session: 's', call: 'c' })
        return result.text
      } catch (error) {
        if (!(error instanceof ToolError)) throw error
        return `${error.message}${error.help ? ` | ${error.help}` : ''}`
      }
    },
    diff: async (name, given) => diffOf((await plan(name, given)).changes),
  }
}

/** All names under a folder, links as `name -> target`. */
function tree(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isSymbolicLink()) return [`${entry.name} -> ${readlinkSync(path)}`]
      return [entry.name, ...(entry.isDirectory() ? tree(path).map((name) => `${entry.name}/${name}`) : [])]
    })
    .sort()
}

describe('fs-move', () => {
  it('moves a file with its mode into folders that it makes', async () => {
    const { root, use, diff } = await open({ 'a.sh': 'one\n' })
    chmodSync(join(root, 'a.sh'), 0o750)
    expect(await diff('fs-move', { from: 'a.sh', to: 'bin/new/b.sh' })).toBe('--- a/a.sh\n+++ b/bin/new/b.sh\nmoved, 4 bytes unchanged\n')
    expect(await use('fs-move', { from: 'a.sh', to: 'bin/new/b.sh' })).toBe('a.sh: moved to bin/new/b.sh')
    expect(tree(root)).toEqual(['bin', 'bin/new', 'bin/new/b.sh'])
    expect(statSync(join(root, 'bin/new/b.sh')).mode & 0o777).toBe(0o750)
  })

  it('moves a link as a link, also one that leads nowhere', async () => {
    const { root, use } = await open({ 'a.txt': 'x' })
    symlinkSync('a.txt', join(root, 'l'))
    symlinkSync('gone', join(root, 'g'))
    expect(await use('fs-move', { from: 'l', to: 'm' })).toBe('l: moved to m')
    expect(await use('fs-move', { from: 'g', to: 'h' })).toBe('g: moved to h')
    expect(tree(root)).toEqual(['a.txt', 'h -> gone', 'm -> a.txt'])
  })

  it('moves a folder with empty folders, links and all files in it', async () => {
    const { root, use, diff } = await open({ 'a/b/x.txt': 'x', 'a/y.bin': '\0\x01', 'c.txt': 'c' })
    mkdirSync(join(root, 'a/empty'))
    symlinkSync('../c.txt', join(root, 'a/l'))
    chmodSync(join(root, 'a/b'), 0o700)
    expect(await diff('fs-move', { from: 'a', to: 'z' })).toBe(
      '+++ b/z/\n+++ b/z/b/\n+++ b/z/empty/\n--- a/a/l\n+++ b/z/l\nmoved, 8 bytes unchanged\n--- a/a/y.bin\n+++ b/z/y.bin\nmoved, 2 bytes unchanged\n--- a/a/b/x.txt\n+++ b/z/b/x.txt\nmoved, 1 byte unchanged\n--- a/a/empty/\n--- a/a/b/\n--- a/a/\n',
    )
    expect(await use('fs-move', { from: 'a', to: 'z' })).toBe('a: moved to z')
    expect(tree(root)).toEqual(['c.txt', 'z', 'z/b', 'z/b/x.txt', 'z/empty', 'z/l -> ../c.txt', 'z/y.bin'])
    expect(statSync(join(root, 'z/b')).mode & 0o777).toBe(0o700)
  })

  for (const [from, to, want] of [
    ['a.txt', 'b.txt', 'b.txt exists already, so nothing was moved | remove it first, or choose another path'],
    ['a.txt', 'a.txt', 'a.txt exists already, so nothing was moved | remove it first, or choose another path'],
    ['a.txt', 'd', 'd exists already and is a folder, so nothing was moved | give the whole new path, such as d/a.txt'],
    ['a.txt', 'new/', 'new/ names a folder that does not exist | give the whole new path, such as new/a.txt'],
    ['d', 'd/e', 'd/e lies inside d, so d cannot be moved there'],
    ['a.tx', 'c.txt', 'a.tx does not exist; did you mean a.txt? | to create a file use fs-write'],
    ['.', 'c', '. is the workspace itself'],
    ['a.txt', 'b.txt/c', 'b.txt/c does not exist: b.txt is a file'],
  ] as const) {
    it(`${from} to ${to} is refused in words`, async () => {
      const { root, use } = await open({ 'a.txt': 'a', 'b.txt': 'b', 'd/x': 'x' })
      expect(await use('fs-move', { from, to })).toBe(want)
      expect(tree(root)).toEqual(['a.txt', 'b.txt', 'd', 'd/x'])
    })
  }

  it('that fails half way leaves all as it was', async () => {
    let writes = 0
    const beforeWrite = () => {
      if (++writes === 6) throw Object.assign(new Error(), { code: 'EIO' })
    }
    const { root, use } = await open({ 'a/x': 'x', 'a/y': 'y', 'a/z': 'z' }, { beforeWrite })
    expect(await use('fs-move', { from: 'a', to: 'b' })).toBe('could not remove a/y (the disk reported an error, EIO); the file is unchanged')
    expect(tree(root)).toEqual(['a', 'a/x', 'a/y', 'a/z'])
    expect(readText(root, 'a/z')).toBe('z')
  })

  it('takes no file that somebody put into the folder meanwhile', async () => {
    const { root, use } = await open({ 'a/x': 'x' }, { beforeWrite: () => writeFileSync(join(root, 'a/theirs'), 'theirs') })
    expect(await use('fs-move', { from: 'a', to: 'b' })).toBe('could not remove a (it holds something else by now, ENOTEMPTY); the folder is unchanged')
    expect(tree(root)).toEqual(['a', 'a/theirs', 'a/x'])
  })
})

describe('fs-remove', () => {
  it('removes a link and not what it leads to', async () => {
    const { root, use, diff } = await open({ 'd/a.txt': 'x' })
    symlinkSync('d', join(root, 'l'))
    expect(await diff('fs-remove', { path: 'l' })).toBe('--- a/l\n+++ /dev/null\n-link to d\n')
    expect(await use('fs-remove', { path: 'l' })).toBe('l: removed')
    expect(tree(root)).toEqual(['d', 'd/a.txt'])
    expect(await use('fs-undo', { path: 'l' })).toMatch(/^l: back to the version before /)
    expect(tree(root)).toEqual(['d', 'd/a.txt', 'l -> d'])
  })

  it('removes a read-only file, and undoing gives it back with its mode', async () => {
    const { root, use } = await open({ 'a.sh': 'x' })
    chmodSync(join(root, 'a.sh'), 0o555)
    expect(await use('fs-remove', { path: 'a.sh' })).toBe('a.sh: removed')
    expect(await use('fs-undo', { path: 'a.sh' })).toMatch(/^a\.sh: back to the version before /)
    expect(statSync(join(root, 'a.sh')).mode & 0o777).toBe(0o555)
    expect(await use('fs-undo', { path: 'a.sh' })).toBe('a.sh: removed, as it was before')
    expect(tree(root)).toEqual([])
  })

  it('removes a folder with all that is in it', async () => {
    const { root, use } = await open({ 'd/a': 'a', 'd/e/b': 'b', c: 'c' })
    expect(await use('fs-remove', { path: 'd' })).toBe('d: removed, with all that was in it (3)')
    expect(tree(root)).toEqual(['c'])
  })

  it('refuses a folder with more than can be kept', async () => {
    const { root, use } = await open({})
    mkdirSync(join(root, 'd'))
    for (let i = 0; i < 1001; i++) writeFileSync(join(root, 'd', String(i)), '')
    expect(await use('fs-remove', { path: 'd' })).toBe('d holds more than 1000 files and folders, too much to keep the earlier versions of | take a part of it at a time, or use exec')
  })

  it('undoing refuses where something else stands there now', async () => {
    const { root, use } = await open({ l: 'file' })
    await use('fs-remove', { path: 'l' })
    mkdirSync(join(root, 'l'))
    expect(await use('fs-undo', { path: 'l' })).toMatch(/^l is a folder now, and was a file in the version before \S+, so nothing was changed \| move it away first$/)
  })
})

describe('in a session', () => {
  it('a moved file keeps its labels', async () => {
    const { session, root } = await play({ '.env': 'A=1\n' }, [], { answers: [true, true] })
    expect(await session.callAsModel('fs-move', '{"from": ".env", "to": "x.txt"}')).toMatchObject({ ok: true })
    expect(readText(root, 'x.txt')).toBe('A=1\n')
    expect((await session.callAsModel('fs-read', '{"path": "x.txt"}')).labels).toEqual(['secret:.env'])
  })
})
