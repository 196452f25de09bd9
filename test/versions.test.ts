// The store of earlier contents: what is kept can be had again, through crashes and within its bounds.

import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openWorkspace } from '../src/tool/open.ts'
import { ToolError } from '../src/tool/prim.ts'
import { VersionStore } from '../src/tool/versions.ts'
import { makeFolder, play, readText } from './help.ts'

const why = { session: 's', call: 'c' }

/** What the store still holds of a file, the newest first; null: there was no file; `gone`: dropped. */
async function contents(store: VersionStore, path: string): Promise<(string | null)[]> {
  const texts: (string | null)[] = []
  for (const version of await store.list(path)) {
    const content = await store.content(version).catch((error: unknown) => {
      if (error instanceof ToolError) return Buffer.from('gone')
      throw error
    })
    texts.push(content && Buffer.from(content).toString())
  }
  return texts
}

describe('versions', () => {
  it('come back by file, the newest first, with who made the change and when', async () => {
    const store = new VersionStore(makeFolder())
    await store.keep({ path: '/a', before: null }, 0o644, { session: 's1', call: 'c1' })
    await store.keep({ path: '/b', before: Buffer.from('other') }, 0o600, { session: 's1', call: 'c2' })
    await store.keep({ path: '/a', before: Buffer.from('one') }, 0o755, { session: 's2', call: 'c3' })
    const [newest, oldest, ...rest] = await store.list('/a')
    expect(rest).toEqual([])
    expect(newest).toMatchObject({ path: '/a', mode: 0o755, session: 's2', call: 'c3' })
    expect(newest!.time).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect(oldest).toMatchObject({ path: '/a', hash: null, session: 's1', call: 'c1' })
    expect(await contents(store, '/a')).toEqual(['one', null])
    expect((await store.list()).map(({ path }) => path)).toEqual(['/a', '/b', '/a'])
  })

  it('are what was kept, bytes for bytes, also for a store opened later', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 6 }), async (all) => {
        const folder = mkdtempSync(join(tmpdir(), 'nodwyn-test-'))
        try {
          const store = new VersionStore(folder)
          for (const content of all) await store.keep({ path: '/f', before: content }, 0o644, why)
          const later = new VersionStore(folder)
          const versions = await later.list('/f')
          const back = await Promise.all(versions.map((version) => later.content(version)))
          expect(back.map((content) => [...content!])).toEqual(all.map((content) => [...content]).reverse())
        } finally {
          rmSync(folder, { recursive: true })
        }
      }),
      { numRuns: 30 },
    )
  })

  it('lie where nobody else can read them, the same content once', async () => {
    const folder = makeFolder()
    const store = new VersionStore(join(folder, 'versions'))
    await store.keep({ path: '/a', before: Buffer.from('same') }, 0o644, why)
    await store.keep({ path: '/b', before: Buffer.from('same') }, 0o644, why)
    const names = readdirSync(join(folder, 'versions'))
    expect(names).toHaveLength(2)
    expect(statSync(join(folder, 'versions')).mode & 0o777).toBe(0o700)
    for (const name of names) expect(statSync(join(folder, 'versions', name)).mode & 0o777).toBe(0o600)
  })

  it('survive a line that a crash cut off anywhere, and the next one is whole', async () => {
    const folder = makeFolder()
    await new VersionStore(folder).keep({ path: '/f', before: Buffer.from('one') }, 0o644, why)
    const index = join(folder, 'index.jsonl')
    const line = readFileSync(index, 'utf8')
    for (let cut = 1; cut < line.length; cut += 7) {
      writeFileSync(index, line)
      appendFileSync(index, line.slice(0, cut))
      const store = new VersionStore(folder)
      await store.keep({ path: '/f', before: Buffer.from('two') }, 0o644, why)
      expect(await contents(store, '/f')).toEqual(['two', 'one'])
    }
  })

  it('that were damaged are not given out', async () => {
    const folder = makeFolder()
    const store = new VersionStore(folder)
    await store.keep({ path: '/f', before: Buffer.from('one') }, 0o644, why)
    const [version] = await store.list('/f')
    writeFileSync(join(folder, version!.hash!), 'onE')
    await expect(store.content(version!)).rejects.toThrow('that version of /f was damaged on the disk')
  })
})

describe('what a program changes', () => {
  it('is kept as well, byte for byte, where the workspace is a repository', async () => {
    const root = makeFolder({ 'a.txt': 'one\r\n', 'gone.txt': 'x', '.gitignore': 'built\n', 'sub/b': 'b', '.gitattributes': '*.txt text eol=lf filter=evil\n' })
    execFileSync('git', ['-C', root, 'init', '-q'])
    execFileSync('git', ['-C', root, 'config', 'filter.evil.clean', `touch ${join(root, 'mark')}`])
    symlinkSync('a.txt', join(root, 'l'))
    const workspace = await openWorkspace(root, { state: makeFolder() })
    const snapshot = await workspace.snapshot()
    writeFileSync(join(root, 'a.txt'), 'two\r\n')
    writeFileSync(join(root, 'built'), 'ignored')
    writeFileSync(join(root, 'sub/new'), 'new')
    rmSync(join(root, 'gone.txt'))
    rmSync(join(root, 'l'))
    chmodSync(join(root, 'sub/b'), 0o755)
    const changes = await snapshot!.keepChanges(why)
    expect(changes.map(({ given, kind }) => `${given} ${kind}`)).toEqual(['a.txt file', 'gone.txt file', 'l link', 'sub/new file'])
    expect(await contents(workspace.versions as VersionStore, join(root, 'a.txt'))).toEqual(['one\r\n'])
    expect(await contents(workspace.versions as VersionStore, join(root, 'l'))).toEqual(['a.txt'])
    expect(await contents(workspace.versions as VersionStore, join(root, 'sub/new'))).toEqual([null])
    expect(existsSync(join(root, 'mark'))).toBe(false)
    expect(await (await workspace.snapshot())!.keepChanges(why)).toEqual([])
  })

  it('is undone with the call, and named in its result', async () => {
    const { session, root, events } = await play({ 'a.txt': 'one\n' }, [], { answers: [true, true] })
    execFileSync('git', ['-C', root, 'init', '-q'])
    const outcome = await session.callAsModel('exec', JSON.stringify({ command: 'echo two > a.txt; echo new > b.txt' }))
    expect(outcome.ok && outcome.text).toBe('exit code 0, no output\nfiles changed: a.txt, b.txt')
    expect(events.flatMap((event) => (event.type === 'edit' ? [event.path] : []))).toEqual(['a.txt', 'b.txt'])
    expect(await session.callAsPerson('fs-undo', '{"path": "a.txt"}')).toMatchObject({ ok: true })
    expect(readText(root, 'a.txt')).toBe('one\n')
  })
})

describe('the space for them', () => {
  it('is kept within its bound: the oldest go first', async () => {
    const store = new VersionStore(makeFolder(), 30)
    for (const text of ['first.....', 'second....', 'third.....', 'fourth....']) await store.keep({ path: '/f', before: Buffer.from(text) }, 0o644, why)
    expect(await contents(store, '/f')).toEqual(['fourth....', 'third.....', 'second....', 'gone'])
  })

  it('never costs a file its newest one', async () => {
    const store = new VersionStore(makeFolder(), 15)
    for (const path of ['/a', '/b', '/c']) for (const round of [1, 2]) await store.keep({ path: path, before: Buffer.from(`${path} round ${round}`) }, 0o644, why)
    for (const path of ['/a', '/b', '/c']) expect(await contents(store, path)).toEqual([`${path} round 2`, 'gone'])
  })

  it('counts what another store put there', async () => {
    const folder = makeFolder()
    const [one, other] = [new VersionStore(folder, 25), new VersionStore(folder, 25)]
    await one.keep({ path: '/f', before: Buffer.from('first.....') }, 0o644, why)
    await other.keep({ path: '/f', before: Buffer.from('second....') }, 0o644, why)
    await other.keep({ path: '/f', before: Buffer.from('third.....') }, 0o644, why)
    expect(await contents(one, '/f')).toEqual(['third.....', 'second....', 'gone'])
  })
})
