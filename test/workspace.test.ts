// The workspace under the tools: which file a path names, what is read, and that a change to the disk
// happens whole, in the folder that was judged, or not at all.

import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, linkSync, readFileSync, readdirSync, realpathSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CommitHooks } from '../src/tool/commit.ts'
import { openWorkspace } from '../src/tool/open.ts'
import { ToolError, type Change } from '../src/tool/prim.ts'
import { resolveTarget } from '../src/tool/resolve.ts'
import type { Workspace } from '../src/tool/workspace.ts'
import { makeFolder } from './help.ts'

const why = { session: 's', call: 'c' }
const isRoot = process.getuid?.() === 0

async function open(files: Record<string, string> = {}, hooks: CommitHooks = {}): Promise<{ root: string; workspace: Workspace }> {
  const root = makeFolder(files)
  return { root, workspace: await openWorkspace(root, { state: makeFolder(), hooks }) }
}

function change(root: string, name: string, before: string | null, after: string | null): Change {
  const bytes = (text: string | null) => (text === null ? null : Buffer.from(text))
  return { path: join(root, name), given: name, before: bytes(before), after: bytes(after) }
}

async function refusal(step: Promise<unknown>): Promise<string> {
  try {
    await step
  } catch (error) {
    if (error instanceof ToolError) return `${error.kind}: ${error.message}`
    throw error
  }
  return 'done'
}

describe('a path', () => {
  it('names what the system says it names, links followed', async () => {
    const name = fc.constantFrom('a', 'b', 'c', 'up', 'in', 'out', 'gone', '..', '.', 'far')
    const root = makeFolder({ 'a/b/c': 'x', 'b/a': 'y' })
    const outside = makeFolder()
    symlinkSync('..', join(root, 'a/up'))
    symlinkSync('a/b', join(root, 'in'))
    symlinkSync(outside, join(root, 'b/out'))
    symlinkSync('nowhere', join(root, 'gone'))
    symlinkSync('../a/b/../up/b', join(root, 'b/far'))
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 8 }), async (names) => {
        const path = names.join('/')
        let real: string
        try {
          // Not joined, which would take each .. with the name before it.
          real = realpathSync.native(`${root}/${path}`)
        } catch {
          return
        }
        const target = await resolveTarget(root, path)
        expect(target.real).toBe(real)
        const inside = relative(root, real)
        expect(target.relative).toBe(inside.startsWith('..') ? null : inside)
      }),
    )
  })

  for (const [path, want] of [
    ['src/app.ts', 'src/app.ts'],
    ['./src//app.ts', 'src/app.ts'],
    ['src/../new/file', 'new/file'],
    ['.', ''],
    ['..', null],
    ['src/../../x', null],
    ['~/x', '~/x'],
  ] as const) {
    it(`${path} is ${want ?? 'outside'}`, async () => {
      const { root } = await open({ 'src/app.ts': '' })
      expect((await resolveTarget(root, path)).relative).toBe(want)
    })
  }

  it('that is absolute counts by segment', async () => {
    const { root } = await open({ f: '' })
    expect((await resolveTarget(root, join(root, 'f'))).relative).toBe('f')
    expect((await resolveTarget(root, `${root}-other/f`)).relative).toBe(null)
  })

  for (const [path, want] of [
    ['a\0b', 'other: path holds a NUL byte: "a\\u0000b"'],
    ['', 'other: path is empty'],
    ['f/x', 'other: f/x does not exist: f is a file'],
    ['loop', 'other: loop goes round in a loop of links'],
    ['n'.repeat(300), `other: path holds a name that is too long: ${'n'.repeat(60)}…`],
  ] as const) {
    it(`${JSON.stringify(path).slice(0, 20)} can name nothing`, async () => {
      const { root, workspace } = await open({ f: '' })
      symlinkSync('loop', join(root, 'loop'))
      expect(await refusal(workspace.resolve(path))).toBe(want)
    })
  }
})

describe('reading', () => {
  it('does not wait for a pipe', async () => {
    const { root, workspace } = await open()
    execFileSync('mkfifo', [join(root, 'pipe')])
    expect(await refusal(workspace.read('pipe'))).toBe('other: pipe is not a regular file')
  })

  it('refuses a file too large to hold', async () => {
    const { root, workspace } = await open({ huge: '' })
    truncateSync(join(root, 'huge'), 3_000_000_000)
    expect(await refusal(workspace.read('huge'))).toBe('other: huge is too large to read: 3000000000 bytes, the most is 500000000')
  })
})

describe('a commit', () => {
  it('goes to no folder that was swapped for a link since the plan', async () => {
    const outside = makeFolder({ 'gen/a.ts': 'old' })
    const { root, workspace } = await open({ 'src/gen/a.ts': 'old' })
    renameSync(join(root, 'src'), join(root, 'moved'))
    symlinkSync(outside, join(root, 'src'))
    for (const one of [change(root, 'src/gen/a.ts', 'old', 'new'), change(root, 'src/gen/a.ts', 'old', null), change(root, 'src/gen/b.ts', null, 'new'), change(root, 'src/more/b.ts', null, 'new')])
      expect(await refusal(workspace.commit([one], why))).toBe(`changed-on-disk: a folder of ${one.given} was replaced by a link meanwhile, so nothing was written`)
    expect(readdirSync(outside, { recursive: true })).toEqual(['gen', 'gen/a.ts'])
    expect(readFileSync(join(outside, 'gen/a.ts'), 'utf8')).toBe('old')
  })

  it('goes to no folder that was swapped while it writes', async () => {
    const outside = makeFolder()
    const root = makeFolder({ 'src/f.txt': 'old', 'src/g.txt': 'old' })
    linkSync(join(root, 'src/g.txt'), join(root, 'h.txt'))
    const beforeWrite = () => {
      if (existsSync(join(root, 'moved'))) return
      renameSync(join(root, 'src'), join(root, 'moved'))
      symlinkSync(outside, join(root, 'src'))
    }
    const workspace = await openWorkspace(root, { state: makeFolder(), hooks: { beforeWrite } })
    for (const [name, before, after] of [['src/f.txt', 'old', 'new'], ['src/f.txt', 'old', null], ['src/g.txt', 'old', 'new'], ['src/new.txt', null, 'new']] as const) {
      expect(await refusal(workspace.commit([change(root, name, before, after)], why))).toBe(`changed-on-disk: ${name} lies in a folder that was replaced meanwhile, so nothing was written`)
      expect(readdirSync(outside)).toEqual([])
      expect(readdirSync(join(root, 'moved'))).toEqual(['f.txt', 'g.txt'])
      expect(readFileSync(join(root, 'h.txt'), 'utf8')).toBe('old')
      rmSync(join(root, 'src'))
      renameSync(join(root, 'moved'), join(root, 'src'))
    }
  })

  it('writes nothing outside the root, whatever the plan says', async () => {
    const { root, workspace } = await open()
    expect(await refusal(workspace.commit([change(root, '../x', null, 'new')], why))).toBe(`denied: ../x lies outside the workspace ${root}`)
  })

  it('never replaces a file that somebody makes while it writes', async () => {
    const root = makeFolder()
    const hooks = { beforeWrite: () => writeFileSync(join(root, 'f'), 'theirs') }
    const workspace = await openWorkspace(root, { state: makeFolder(), hooks })
    expect(await refusal(workspace.commit([change(root, 'f', null, 'mine')], why))).toBe('changed-on-disk: f was created by another program meanwhile, so nothing was written')
    expect(readdirSync(root)).toEqual(['f'])
    expect(readFileSync(join(root, 'f'), 'utf8')).toBe('theirs')
  })

  it('that fails takes away the folders made for it', async () => {
    const hooks = {
      beforeWrite: () => {
        throw Object.assign(new Error(), { code: 'EIO' })
      },
    }
    const { root, workspace } = await open({ 'a/f': '' }, hooks)
    expect(await refusal(workspace.commit([change(root, 'a/b/c/g', null, 'x')], why))).toBe('other: could not write a/b/c/g (the disk reported an error, EIO); the file is unchanged')
    expect(readdirSync(root, { recursive: true })).toEqual(['a', 'a/f'])
  })

  // A limit on the size of files makes writing fail half way, for real.
  it('that fails half way leaves the bytes as they were, also where it writes in place', async () => {
    const { root } = await open({ one: 'old\n', two: 'old\n' })
    linkSync(join(root, 'two'), join(root, 'second-name'))
    const program = `
      process.on('SIGXFSZ', () => {})
      const { openWorkspace } = await import(${JSON.stringify(resolve(import.meta.dirname, '../src/tool/open.ts'))})
      const workspace = await openWorkspace(${JSON.stringify(root)}, { state: ${JSON.stringify(makeFolder())} })
      for (const given of ['one', 'two']) {
        const change = { path: ${JSON.stringify(root)} + '/' + given, given, before: Buffer.from('old\\n'), after: Buffer.alloc(100_000, 'x') }
        await workspace.commit([change], { session: 's', call: 'c' }).catch((error) => console.log(error.message))
      }`
    const output = execFileSync('bash', ['-c', 'ulimit -f 20 && exec "$0" --input-type=module -e "$1"', process.execPath, program], { encoding: 'utf8' })
    expect(output).toBe(
      'could not write one (the file would be too large, EFBIG); the file is unchanged\n' +
        'could not write two (the file would be too large, EFBIG); the file is unchanged\n',
    )
    expect(readdirSync(root).sort()).toEqual(['one', 'second-name', 'two'])
    for (const name of ['one', 'two']) expect(readFileSync(join(root, name), 'utf8')).toBe('old\n')
  })

  it.skipIf(!isRoot)('in a folder that may not be written says so, and leaves all as it was', async () => {
    const { root } = await open({ 'd/f': 'old\n' })
    const state = makeFolder()
    chmodSync(root, 0o755)
    chownSync(state, 65534, 65534)
    chmodSync(join(root, 'd/f'), 0o666)
    const program = `
      process.setgid(65534)
      process.setuid(65534)
      const workspace = await openWorkspace(${JSON.stringify(root)}, { state: ${JSON.stringify(state)} })
      const path = ${JSON.stringify(join(root, 'd/f'))}
      for (const after of [Buffer.from('new'), null]) await workspace.commit([{ path, given: 'd/f', before: Buffer.from('old\\n'), after }], { session: 's', call: 'c' }).catch((error) => console.log(error.message))`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', `const { openWorkspace } = await import(${JSON.stringify(resolve(import.meta.dirname, '../src/tool/open.ts'))})\n${program}`], { encoding: 'utf8' })
    expect(output).toBe('could not write d/f (permission denied, EACCES); the file is unchanged\ncould not remove d/f (permission denied, EACCES); the file is unchanged\n')
    expect(readFileSync(join(root, 'd/f'), 'utf8')).toBe('old\n')
    expect(readdirSync(join(root, 'd'))).toEqual(['f'])
  })

  it('keeps mode, special bits and owner', async () => {
    const { root, workspace } = await open({ f: 'old' })
    if (isRoot) chownSync(join(root, 'f'), 65534, 65534)
    chmodSync(join(root, 'f'), 0o2755)
    const before = statSync(join(root, 'f'))
    await workspace.commit([change(root, 'f', 'old', 'new')], why)
    const { mode, uid, gid } = statSync(join(root, 'f'))
    expect({ mode, uid, gid }).toEqual({ mode: before.mode, uid: before.uid, gid: before.gid })
  })

  it('refuses a file that its mode forbids to write, as root too', async () => {
    const { root, workspace } = await open({ f: 'old' })
    chmodSync(join(root, 'f'), 0o444)
    expect(await refusal(workspace.commit([change(root, 'f', 'old', 'new')], why))).toBe('denied: no permission to write f: it is read-only (mode 444)')
    expect(readFileSync(join(root, 'f'), 'utf8')).toBe('old')
  })

  it('keeps a long name, in any script', async () => {
    const { root, workspace } = await open()
    const name = '漢'.repeat(85)
    await workspace.commit([change(root, name, null, 'new')], why)
    expect(readdirSync(root)).toEqual([name])
  })

  it('makes a new file with the mode that the person’s mask gives', async () => {
    const { root, workspace } = await open()
    await workspace.commit([change(root, 'a/f', null, 'new')], why)
    writeFileSync(join(root, 'other'), '')
    expect(statSync(join(root, 'a/f')).mode).toBe(statSync(join(root, 'other')).mode)
  })

  it('of several files writes none where one of them changed', async () => {
    const { root, workspace } = await open({ f: 'old', g: 'theirs' })
    expect(await refusal(workspace.commit([change(root, 'f', 'old', 'new'), change(root, 'g', 'old', 'new')], why))).toBe(
      'changed-on-disk: g changed on disk since it was read, so nothing was written',
    )
    expect(readFileSync(join(root, 'f'), 'utf8')).toBe('old')
  })

  it('is one of two that programs make at once; the other is told that the file changed', async () => {
    const root = makeFolder()
    const state = makeFolder()
    for (let round = 0; round < 10; round++) {
      writeFileSync(join(root, 'f'), 'old')
      const both = await Promise.all([openWorkspace(root, { state }), openWorkspace(root, { state })])
      const outcomes = await Promise.all(both.map((one, i) => refusal(one.commit([change(root, 'f', 'old', `new ${i}`)], why))))
      expect([...outcomes].sort()).toEqual(['changed-on-disk: f changed on disk since it was read, so nothing was written', 'done'])
      expect(readFileSync(join(root, 'f'), 'utf8')).toBe(`new ${outcomes.indexOf('done')}`)
    }
  })
})
