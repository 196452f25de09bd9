// The tools but fs-edit, each in a real folder: what it gives a model, and what it refuses.

import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bindByName } from '../src/tool/bind.ts'
import { unifiedDiff } from '../src/tool/diff.ts'
import { findPrim } from '../src/tool/index.ts'
import { fromPlain, toPlain } from '../src/tool/json.ts'
import { openWorkspace, type WorkspaceOptions } from '../src/tool/open.ts'
import { ToolError, type ToolContext } from '../src/tool/prim.ts'
import type { Workspace } from '../src/tool/workspace.ts'
import { makeFolder } from './help.ts'

const why = { session: 's', call: 'c' }

async function open(files: Record<string, string> = {}, options: Partial<WorkspaceOptions> = {}): Promise<{ root: string; workspace: Workspace }> {
  const root = makeFolder(files)
  return { root, workspace: await openWorkspace(root, { state: makeFolder(), ...options }) }
}

/** Uses a tool as a model would; a plan is committed. */
async function use(workspace: Workspace, name: string, given: object, signal = new AbortController().signal): Promise<{ text: string; value: unknown }> {
  const prim = findPrim(name)!
  const { args } = bindByName(prim, fromPlain(given))
  const context: ToolContext = { workspace, signal, mayRead: async () => true, ask: async (question) => `answer to ${question}`, progress: () => {} }
  if (prim.run) {
    const { text, value } = await prim.run(args, context)
    return { text, value: value === undefined ? text : toPlain(value) }
  }
  const { changes, result } = await prim.plan!(args, context)
  await workspace.commit(changes, why)
  return { text: result.text, value: result.text }
}

async function refusal(step: Promise<unknown>): Promise<string> {
  try {
    await step
  } catch (error) {
    if (error instanceof ToolError) return `${error.message}${error.help ? ` | ${error.help}` : ''}`
    throw error
  }
  return 'done'
}

describe('fs-read', () => {
  test('numbers the lines for a model and gives Scheme the text', async () => {
    const { workspace } = await open({ 'a.txt': 'one\r\ntwo\n' })
    expect(await use(workspace, 'fs-read', { path: 'a.txt' })).toEqual({ text: '     1\tone\n     2\ttwo', value: 'one\r\ntwo\n' })
  })
  test('says how much is left and how to go on', async () => {
    const { workspace } = await open({ 'a.txt': 'a\nb\nc\nd\n' })
    expect((await use(workspace, 'fs-read', { path: 'a.txt', offset: 2, limit: 2 })).text).toBe('     2\tb\n     3\tc\n… 1 more line; go on with offset 4')
  })
  test('cuts a very long line and says so', async () => {
    const { workspace } = await open({ 'a.txt': 'x'.repeat(5000) })
    expect((await use(workspace, 'fs-read', { path: 'a.txt' })).text).toBe(`     1\t${'x'.repeat(2000)}… (3000 more characters)`)
  })
  test('gives Scheme all that was asked for, however long', async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `${i + 1}\r\n`)
    const { workspace } = await open({ 'a.txt': `\ufeff${lines.join('')}end` })
    const { text, value } = await use(workspace, 'fs-read', { path: 'a.txt' })
    expect(value).toBe(`\ufeff${lines.join('')}end`)
    expect(text.startsWith('     1\t1\n')).toBe(true)
    expect(text.endsWith('\n  2000\t2000\n… 1001 more lines; go on with offset 2001')).toBe(true)
    expect((await use(workspace, 'fs-read', { path: 'a.txt', offset: 2, limit: 2 })).value).toBe('2\r\n3\r\n')
    expect((await use(workspace, 'fs-read', { path: 'a.txt', offset: 3001 })).value).toBe('end')
  })
  test('never cuts through a character', async () => {
    const { workspace } = await open({ 'a.txt': `${'x'.repeat(1999)}😀😀` })
    expect((await use(workspace, 'fs-read', { path: 'a.txt' })).text).toBe(`     1\t${'x'.repeat(1999)}… (4 more characters)`)
  })
  test('refuses lines that do not exist', async () => {
    const { workspace } = await open({ 'a.txt': 'x\n' })
    expect(await refusal(use(workspace, 'fs-read', { path: 'a.txt', offset: -5 }))).toBe('offset must be at least 1, got -5')
    expect(await refusal(use(workspace, 'fs-read', { path: 'a.txt', limit: -1 }))).toBe('limit must be at least 1, got -1')
  })
  for (const [name, path, want] of [
    ['a missing file', 'src/ap.ts', 'src/ap.ts does not exist; did you mean src/app.ts? | to create a file use fs-write'],
    ['a directory', 'src', 'src is a directory | to see what is in it use fs-list'],
    ['a path behind a file', 'src/app.ts/x', 'src/app.ts/x does not exist: app.ts is a file'],
    ['a binary file', 'b.bin', 'b.bin is not valid UTF-8 (byte 1 is 0xff; it looks binary) | use exec with file, xxd or iconv to look into it'],
    ['UTF-16', 'u.txt', 'u.txt is not valid UTF-8 (it is UTF-16, little-endian) | use exec with file, xxd or iconv to look into it'],
    ['a loop of links', 'loop', 'loop goes round in a loop of links'],
    ['an offset behind the end', 'src/app.ts', 'src/app.ts has 1 line, offset 9 is behind the last'],
  ] as const) {
    test(`${name} is refused in words`, async () => {
      const { root, workspace } = await open({ 'src/app.ts': 'x\n' })
      writeFileSync(join(root, 'b.bin'), Buffer.from([1, 255, 0, 2]))
      writeFileSync(join(root, 'u.txt'), Buffer.from([255, 254, 65, 0]))
      symlinkSync('loop', join(root, 'loop'))
      expect(await refusal(use(workspace, 'fs-read', { path, ...(name.startsWith('an offset') ? { offset: 9 } : {}) }))).toBe(want)
    })
  }
  test('a link out of the workspace is refused', async () => {
    const { root, workspace } = await open()
    symlinkSync('/etc/hostname', join(root, 'out'))
    expect(await refusal(use(workspace, 'fs-read', { path: 'out' }))).toBe(`out lies outside the workspace ${root}`)
    expect(await refusal(use(workspace, 'fs-read', { path: '../x' }))).toBe(`../x lies outside the workspace ${root}`)
  })
})

describe('fs-list and fs-find', () => {
  const files = { 'src/a.ts': 'x', 'src/deep/b.ts': 'yy', 'dist/c.ts': 'z', '.gitignore': 'dist\n', 'note.md': '' }
  test('fs-list names folders, sizes and links', async () => {
    const { root, workspace } = await open(files)
    symlinkSync('src/a.ts', join(root, 'link'))
    expect((await use(workspace, 'fs-list', { path: '.' })).text).toBe('.gitignore\t5\ndist/\nlink\t-> src/a.ts\nnote.md\t0\nsrc/')
    expect((await use(workspace, 'fs-list', { path: 'src', depth: 2 })).value).toEqual(['a.ts', 'deep/', 'deep/b.ts'])
  })
  test('fs-list shows a name that holds a line break as one line', async () => {
    const { workspace } = await open({ 'a\tb\nc': 'x' })
    expect(await use(workspace, 'fs-list', { path: '.' })).toEqual({ text: '"a\\tb\\nc"\t1', value: ['a\tb\nc'] })
  })
  test('fs-find leaves out what .gitignore names', async () => {
    const { root, workspace } = await open(files)
    mkdirSync(join(root, '.git'))
    expect((await use(workspace, 'fs-find', { glob: '*.ts' })).value).toEqual(['src/a.ts', 'src/deep/b.ts'])
    expect((await use(workspace, 'fs-find', { glob: '*.ts', path: 'src/deep' })).text).toBe('src/deep/b.ts')
    expect((await use(workspace, 'fs-find', { glob: '*.py' })).text).toBe('no file matches *.py')
    expect(await refusal(use(workspace, 'fs-find', { glob: '{' }))).toMatch(/^the glob "\{" cannot be used: /)
  })
})

describe('a glob', () => {
  const files = { 'a.log': '', 'keep.ts': '', 'src/a.ts': '', 'src/deep/b.ts': '', 'src/deep/b.log': '', '!odd': '', '.github/ci.yml': '', '.gitignore': '*.log\n', '.git/HEAD': '' }
  for (const [glob, want] of [
    ['*.log', []],
    ['*.ts', ['keep.ts', 'src/a.ts', 'src/deep/b.ts']],
    ['/*.ts', ['keep.ts']],
    ['./src/*.ts', ['src/a.ts']],
    ['src/**', ['src/a.ts', 'src/deep/b.ts']],
    ['*.{ts,yml}', ['.github/ci.yml', 'keep.ts', 'src/a.ts', 'src/deep/b.ts']],
    ['!odd', ['!odd']],
    ['**', ['!odd', '.github/ci.yml', '.gitignore', 'keep.ts', 'src/a.ts', 'src/deep/b.ts']],
    ['HEAD', []],
    ['../*', []],
    [`${'*a'.repeat(40)}*!`, []],
  ] as const) {
    test(`${glob.slice(0, 20)} finds ${want.length}, nothing that .gitignore names, in no repository too`, async () => {
      const { workspace } = await open(files)
      expect((await use(workspace, 'fs-find', { glob })).value).toEqual(want)
    })
  }
})

describe('fs-write and fs-undo', () => {
  test('a file is created with its folders, replaced, and brought back step by step', async () => {
    const { root, workspace } = await open()
    expect((await use(workspace, 'fs-write', { path: 'a/b/c.txt', content: 'one' })).text).toBe('a/b/c.txt: created, 3 bytes')
    expect((await use(workspace, 'fs-write', { path: 'a/b/c.txt', content: 'two' })).text).toBe('a/b/c.txt: replaced, 3 bytes')
    expect((await use(workspace, 'fs-write', { path: 'a/b/c.txt', content: 'two' })).text).toBe('a/b/c.txt already has this content')
    await use(workspace, 'fs-undo', { path: 'a/b/c.txt' })
    expect(readFileSync(join(root, 'a/b/c.txt'), 'utf8')).toBe('one')
    await use(workspace, 'fs-undo', { path: 'a/b/c.txt', n: 3 })
    expect(existsSync(join(root, 'a/b/c.txt'))).toBe(false)
    expect(await refusal(use(workspace, 'fs-undo', { path: 'a/b/c.txt', n: 9 }))).toBe('a/b/c.txt has 4 earlier versions, got 9')
    expect(await refusal(use(workspace, 'fs-undo', { path: 'other' }))).toBe('other was not changed by these tools')
  })
  test('undoing keeps the mode that a person gave, and gives a file back the one it had', async () => {
    const { root, workspace } = await open({ 'run.sh': 'one' })
    const mode = () => statSync(join(root, 'run.sh')).mode & 0o777
    await use(workspace, 'fs-write', { path: 'run.sh', content: 'two' })
    chmodSync(join(root, 'run.sh'), 0o755)
    await use(workspace, 'fs-undo', { path: 'run.sh' })
    expect(mode()).toBe(0o755)
    await workspace.commit([{ path: join(root, 'run.sh'), given: 'run.sh', before: Buffer.from('one'), after: null }], why)
    await use(workspace, 'fs-undo', { path: 'run.sh' })
    expect(mode()).toBe(0o755)
    expect(readFileSync(join(root, 'run.sh'), 'utf8')).toBe('one')
  })
  for (const [path, want] of [
    ['src', 'src is a directory | to see what is in it use fs-list'],
    ['new/', 'new/ names a directory | give the path of a file; missing folders are made'],
    ['src/a/b', 'src/a/b does not exist: a is a file'],
  ] as const) {
    test(`fs-write to ${path} is refused`, async () => {
      const { workspace } = await open({ 'src/a': '' })
      expect(await refusal(use(workspace, 'fs-write', { path, content: 'x' }))).toBe(want)
    })
  }
  test('a link that leads nowhere is written through, inside the workspace', async () => {
    const { root, workspace } = await open()
    symlinkSync('target.txt', join(root, 'link'))
    await use(workspace, 'fs-write', { path: 'link', content: 'x' })
    expect(lstatSync(join(root, 'link')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(root, 'target.txt'), 'utf8')).toBe('x')
  })
})

describe('commit', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const change = (root: string, before: string | null, after: string | null) => ({
    path: join(root, 'f.txt'),
    given: 'f.txt',
    before: before === null ? null : bytes(before),
    after: after === null ? null : bytes(after),
  })
  test('writes nothing where the disk holds something else', async () => {
    const { root, workspace } = await open({ 'f.txt': 'theirs' })
    expect(await refusal(workspace.commit([change(root, 'mine', 'new')], why))).toBe('f.txt changed on disk since it was read, so nothing was written | read it again')
    expect(await refusal(workspace.commit([change(root, null, 'new')], why))).toBe('f.txt was created by another program meanwhile, so nothing was written | read it again')
    rmSync(join(root, 'f.txt'))
    expect(await refusal(workspace.commit([change(root, 'theirs', 'new')], why))).toBe('f.txt was deleted while it was being edited, so nothing was written')
    expect(existsSync(join(root, 'f.txt'))).toBe(false)
  })
  test('a folder swapped for a link between the check and the write is refused', async () => {
    const outside = makeFolder()
    const root = makeFolder({ 'src/f.txt': 'old' })
    const swap = () => {
      renameSync(join(root, 'src'), join(root, 'moved'))
      symlinkSync(outside, join(root, 'src'))
    }
    const workspace = await openWorkspace(root, { state: makeFolder(), hooks: { beforeWrite: swap } })
    const message = await refusal(workspace.commit([{ ...change(root, 'old', 'new'), path: join(root, 'src/f.txt'), given: 'src/f.txt' }], why))
    expect(message).toMatch(/^src\/f.txt .* so nothing was written/)
    expect(readdirSync(outside)).toEqual([])
    expect(readFileSync(join(root, 'moved/f.txt'), 'utf8')).toBe('old')
  })
  test('a failing write leaves the old bytes and no other file', async () => {
    const fail = () => {
      throw Object.assign(new Error(), { code: 'ENOSPC' })
    }
    const { root, workspace } = await open({ 'f.txt': 'old' }, { hooks: { beforeWrite: fail } })
    expect(await refusal(workspace.commit([change(root, 'old', 'new')], why))).toBe('could not write f.txt (the disk is full, ENOSPC); the file is unchanged')
    expect(readdirSync(root)).toEqual(['f.txt'])
  })
  test('keeps the mode, and all names of a file with several', async () => {
    const { root, workspace } = await open({ 'f.txt': 'old' })
    chmodSync(join(root, 'f.txt'), 0o750)
    linkSync(join(root, 'f.txt'), join(root, 'g.txt'))
    await workspace.commit([change(root, 'old', 'new text')], why)
    expect(readFileSync(join(root, 'g.txt'), 'utf8')).toBe('new text')
    expect(statSync(join(root, 'f.txt')).mode & 0o777).toBe(0o750)
  })
  test('the versions store opens with a line cut off, and drops the oldest', async () => {
    const { VersionStore } = await import('../src/tool/versions.ts')
    const folder = makeFolder()
    const store = new VersionStore(folder, 10)
    await store.keep({ path: '/f', before: bytes('12345678') }, 0o644, why)
    writeFileSync(join(folder, 'index.jsonl'), `${readFileSync(join(folder, 'index.jsonl'), 'utf8')}{"path": "/f", "ha`)
    await store.keep({ path: '/f', before: bytes('abcdefgh') }, 0o644, why)
    const versions = await store.list('/f')
    expect(versions.length).toBe(2)
    expect(String(await store.content(versions[0]!))).toBe('abcdefgh')
    expect(await refusal(store.content(versions[1]!))).toBe('that version of /f was dropped to save space')
  })
})

describe('exec', () => {
  test('runs a program without a shell, and a shell text', async () => {
    const { workspace } = await open({ 'a.txt': 'x' })
    expect(await use(workspace, 'exec', { argv: ['echo', '$HOME *'] })).toEqual({ text: 'exit code 0\n$HOME *\n', value: { code: 0, output: '$HOME *\n' } })
    expect((await use(workspace, 'exec', { command: 'ls && exit 3' })).text).toBe('exit code 3\na.txt\n')
  })
  test('gives the program no secrets of the environment', async () => {
    process.env['NODWYN_TEST_SECRET'] = 'hush'
    const { workspace } = await open()
    const { text } = await use(workspace, 'exec', { argv: ['env'] })
    delete process.env['NODWYN_TEST_SECRET']
    expect(text).not.toContain('hush')
    expect(text).toContain('PATH=')
  })
  test('keeps head and tail of a long output', async () => {
    const { workspace } = await open()
    const { text } = await use(workspace, 'exec', { command: 'seq 1 100000' })
    expect(text).toMatch(/^exit code 0\n1\n2\n/)
    expect(text).toMatch(/\n… \d+ characters left out …\n/)
    expect(text.endsWith('\n100000\n')).toBe(true)
    expect(text.length).toBeLessThan(50_000)
  })
  test('ends the whole group when stopped', async () => {
    const { root, workspace } = await open()
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('stop')), 100)
    const started = performance.now()
    await expect(use(workspace, 'exec', { command: 'sh -c "sleep 30; touch late" & wait' }, controller.signal)).rejects.toThrow('stop')
    expect(performance.now() - started).toBeLessThan(5000)
    const left = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n').filter((line) => line === 'sleep 30')
    expect(left).toEqual([])
    expect(readdirSync(root)).toEqual([])
  })
  test('is ended when its time is over', async () => {
    const { workspace } = await open()
    expect((await use(workspace, 'exec', { argv: ['sleep', '20'], timeout: 1 })).text).toBe('ended after 1 seconds, no output')
  })
  for (const [given, want] of [
    [{}, 'give either command or argv'],
    [{ command: 'ls', argv: ['ls'] }, 'give either command or argv, not both'],
    [{ argv: ['no-such-program'] }, 'there is no program no-such-program'],
    [{ argv: ['ls'], cwd: 'nowhere' }, 'cwd nowhere is no directory'],
  ] as const) {
    test(`${JSON.stringify(given)} is refused`, async () => {
      const { workspace } = await open()
      expect(await refusal(use(workspace, 'exec', given))).toBe(want)
    })
  }
})

describe('git', () => {
  const git = (root: string, ...args: string[]) => execFileSync('git', ['-C', root, '-c', 'user.name=n', '-c', 'user.email=e', ...args], { stdio: 'pipe' })
  test('shows status and diff, and runs nothing that the repository names', async () => {
    const { root, workspace } = await open({ 'a.txt': 'one\n', '.gitattributes': '*.txt diff=evil filter=evil\n' })
    git(root, 'init', '-q', '-b', 'main')
    git(root, 'add', '.')
    git(root, 'commit', '-qm', 'c')
    const trap = `sh -c 'touch ${join(root, 'ran')}; cat'`
    for (const key of ['diff.evil.textconv', 'diff.evil.command', 'diff.external', 'filter.evil.clean', 'filter.evil.process', 'core.fsmonitor', 'core.pager']) git(root, 'config', key, trap)
    writeFileSync(join(root, 'a.txt'), 'two\n')
    expect((await use(workspace, 'git-status', {})).text).toBe('## main\n M a.txt')
    expect((await use(workspace, 'git-diff', { path: 'a.txt' })).text).toMatch(/\n-one\n\+two$/)
    expect((await use(workspace, 'git-diff', { staged: true })).text).toBe('no changes')
    expect(existsSync(join(root, 'ran'))).toBe(false)
  })
  test('outside a repository says so', async () => {
    const { root, workspace } = await open()
    expect(await refusal(use(workspace, 'git-status', {}))).toBe(`${root} is no git repository`)
  })
})

describe('the diff of a change', () => {
  const diff = (before: string | null, after: string | null) =>
    unifiedDiff({ path: '/r/f', given: 'f', before: before === null ? null : Buffer.from(before), after: after === null ? null : Buffer.from(after) })
  test('is a unified diff of the bytes', async () => {
    expect(await diff('a\nb\nc\n', 'a\nB\nc\n')).toBe('--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n')
    expect(await diff(null, 'x\n')).toBe('--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+x\n')
    expect(await diff('x', 'x\n')).toBe('--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-x\n\\ No newline at end of file\n+x\n')
  })
  test('of a large rewrite ends in bounded time, coarser', async () => {
    const text = (salt: number) => Array.from({ length: 60_000 }, (_, i) => (i * 7919 * salt) % 10_007).join('\n')
    const started = performance.now()
    expect(await diff(text(1), text(3))).toContain('the exact difference takes too long')
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})

test('ask gives the person’s answer', async () => {
  const { workspace } = await open()
  expect((await use(workspace, 'ask', { question: 'which?' })).text).toBe('answer to which?')
  expect(await refusal(use(workspace, 'ask', { question: ' ' }))).toBe('question is empty')
})
