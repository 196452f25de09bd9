// index-grep: what it shows of the lines that match, what it leaves out, and what it refuses.

import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bindByName } from '../src/tool/bind.ts'
import { indexGrep } from '../src/tool/grep.ts'
import { fromPlain, toPlain } from '../src/tool/json.ts'
import { openWorkspace } from '../src/tool/open.ts'
import { ToolError, type Prim } from '../src/tool/prim.ts'
import type { Workspace } from '../src/tool/workspace.ts'
import { makeFolder } from './help.ts'

interface Place {
  root: string
  workspace: Workspace
}

async function open(files: Record<string, string> = {}): Promise<Place> {
  const root = makeFolder(files)
  return { root, workspace: await openWorkspace(root, { state: makeFolder() }) }
}

interface Used {
  text: string
  value: unknown
  files: string[] | undefined
}

async function use({ workspace }: Place, given: object, { prim = indexGrep, hidden = [] as string[], signal = new AbortController().signal }: { prim?: Prim; hidden?: string[]; signal?: AbortSignal } = {}): Promise<Used> {
  const { args } = bindByName(prim, fromPlain(given))
  const { text, value, files } = await prim.run!(args, { workspace, signal, mayRead: (path) => Promise.resolve(!hidden.includes(path)), ask: () => Promise.reject(new Error('asked')), progress: () => {} })
  return { text, value: toPlain(value!), files }
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

const files = {
  'src/a.ts': 'one\ntwo needle\nthree\nfour\n',
  'src/deep/b.ts': 'needle\r\nx\r\nneedle needle\r\n',
  'dist/c.ts': 'needle\n',
  '.gitignore': 'dist\n',
  '.hidden': 'needle',
  '.git/HEAD': 'needle\n',
  'note.md': 'nothing\n',
}

describe('index-grep', () => {
  test('shows the lines that match, file by file', async () => {
    const place = await open(files)
    expect(await use(place, { pattern: 'needle' })).toEqual({
      text: '.hidden\n    1: needle\nsrc/a.ts\n    2: two needle\nsrc/deep/b.ts\n    1: needle\n    3: needle needle',
      value: [
        { path: '.hidden', line: 1, text: 'needle' },
        { path: 'src/a.ts', line: 2, text: 'two needle' },
        { path: 'src/deep/b.ts', line: 1, text: 'needle' },
        { path: 'src/deep/b.ts', line: 3, text: 'needle needle' },
      ],
      files: ['.hidden', 'src/a.ts', 'src/deep/b.ts'],
    })
  })
  test('shows lines around a match, and gives Scheme the match alone', async () => {
    const place = await open(files)
    expect(await use(place, { pattern: '^two', context: 1 })).toEqual({ text: 'src/a.ts\n    1- one\n    2: two needle\n    3- three', value: [{ path: 'src/a.ts', line: 2, text: 'two needle' }], files: ['src/a.ts'] })
  })
  for (const [given, want] of [
    [{ pattern: 'needle$', path: 'src/deep' }, 'src/deep/b.ts\n    1: needle\n    3: needle needle'],
    [{ pattern: 'needle', path: 'src/a.ts' }, 'src/a.ts\n    2: two needle'],
    [{ pattern: 'needle', path: 'dist/c.ts' }, 'dist/c.ts\n    1: needle'],
    [{ pattern: 'needle', glob: '*.ts' }, 'src/a.ts\n    2: two needle\nsrc/deep/b.ts\n    1: needle\n    3: needle needle'],
    [{ pattern: 'needle', glob: 'deep/*', path: 'src' }, 'src/deep/b.ts\n    1: needle\n    3: needle needle'],
    [{ pattern: 'needle', glob: '**', path: 'src/deep' }, 'src/deep/b.ts\n    1: needle\n    3: needle needle'],
    [{ pattern: '(?i)NEEDLE', path: 'src/a.ts' }, 'src/a.ts\n    2: two needle'],
    [{ pattern: '-needle|^four', path: '.' }, 'src/a.ts\n    4: four'],
    [{ pattern: '--files' }, 'no match for "--files" in 5 files'],
    [{ pattern: '-e' }, 'no match for "-e" in 5 files'],
    [{ pattern: 'needle', path: 'note.md' }, 'no match for "needle" in note.md'],
    [{ pattern: 'needle', glob: '*.py' }, 'no file matches the glob *.py in .'],
    [{ pattern: 'needle', glob: '!x' }, 'no file matches the glob !x in .'],
    [{ pattern: '\\r$', path: 'src' }, 'src/deep/b.ts\n    1: needle\n    2: x\n    3: needle needle'],
  ] as const) {
    test(`${JSON.stringify(given)} gives its lines`, async () => {
      expect((await use(await open(files), given)).text).toBe(want)
    })
  }
  test('says that a folder has nothing to search in', async () => {
    const place = await open()
    mkdirSync(join(place.root, 'empty'))
    expect((await use(place, { pattern: 'x', path: 'empty' })).text).toBe('empty holds no file to search in')
  })
  for (const [given, want] of [
    [{ pattern: '' }, 'pattern is empty | to see which files there are use fs-find'],
    [{ pattern: 'x'.repeat(10_001) }, 'pattern is too long: 10001 characters, the most is 10000'],
    [{ pattern: 'a\0b' }, 'pattern holds a NUL byte'],
    [{ pattern: 'a', glob: '\0' }, 'glob holds a NUL byte'],
    [{ pattern: 'a', context: 11 }, 'context must be from 0 to 10, got 11'],
    [{ pattern: 'a', context: -1 }, 'context must be from 0 to 10, got -1'],
    [{ pattern: 'foo(a' }, 'the pattern "foo(a" cannot be used: unclosed group | to search for the text as it is, escape it: "foo\\\\(a"'],
    [{ pattern: 'a(?=b)' }, 'the pattern "a(?=b)" cannot be used: look-around, including look-ahead and look-behind, is not supported | to search for the text as it is, escape it: "a\\\\(\\\\?=b\\\\)"'],
    [{ pattern: 'a\nb' }, 'the pattern "a\\nb" cannot be used: the literal "\\n" is not allowed in a regex | a match lies within one line: search for a part of one'],
    [{ pattern: 'x{9999999}' }, 'the pattern "x{9999999}" cannot be used: compiled regex exceeds size limit of 104857600 | to search for the text as it is, escape it: "x\\\\{9999999\\\\}"'],
    [{ pattern: 'a', path: 'src/b.ts' }, 'src/b.ts does not exist; did you mean src/a.ts? | to create a file use fs-write'],
    [{ pattern: 'a', path: '' }, 'path is empty | give "." for the workspace itself'],
  ] as const) {
    test(`${JSON.stringify(given).slice(0, 40)} is refused in words`, async () => {
      expect(await refusal(use(await open(files), given))).toBe(want)
    })
  }
  test('a glob that is none is refused in ripgrep’s words', async () => {
    expect(await refusal(use(await open(files), { pattern: 'a', glob: '{' }))).toBe("the glob \"{\" cannot be used: error parsing glob '{': unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)")
  })
  test('a path outside the workspace is refused, by a link too', async () => {
    const place = await open()
    symlinkSync('/etc', join(place.root, 'out'))
    expect(await refusal(use(place, { pattern: 'a', path: '../x' }))).toBe(`../x lies outside the workspace ${place.root}`)
    expect(await refusal(use(place, { pattern: 'a', path: 'out' }))).toBe(`out lies outside the workspace ${place.root}`)
    expect((await use(place, { pattern: 'root' })).text).toBe('. holds no file to search in')
  })
  test('a file that may not be shown counts for nothing', async () => {
    const place = await open({ '.env': 'KEY=needle\n', 'a.txt': 'needle\n' })
    expect((await use(place, { pattern: 'needle' }, { hidden: ['.env'] })).text).toBe('a.txt\n    1: needle')
    expect((await use(place, { pattern: 'KEY' }, { hidden: ['.env'] })).text).toBe('no match for "KEY" in 2 files')
  })
  test('leaves binary files out, wherever their NUL is', async () => {
    const place = await open({ 'a.txt': 'needle\n' })
    writeFileSync(join(place.root, 'b.bin'), `needle\n${'x\n'.repeat(200_000)}\0`)
    expect((await use(place, { pattern: 'needle' })).text).toBe('a.txt\n    1: needle')
    expect((await use(place, { pattern: 'needle', path: 'b.bin' })).text).toBe('b.bin is binary, and not searched')
  })
  test('reads UTF-16 with its mark, and Latin-1 but for its letters', async () => {
    const place = await open()
    writeFileSync(join(place.root, 'u.txt'), Buffer.from('\ufeffa needle\n', 'utf16le'))
    writeFileSync(join(place.root, 'l.txt'), Buffer.from('caf\xe9 needle\n', 'latin1'))
    expect((await use(place, { pattern: 'needle' })).text).toBe('l.txt\n    1: caf\ufffd needle\nu.txt\n    1: a needle')
  })
  test.skipIf(process.platform !== 'linux')('takes file names that hold anything', async () => {
    const place = await open({ 'a\nb: 1:': 'needle\n', '-': 'needle\n', '--files': 'needle\n', 'é.txt': 'needle\n' })
    writeFileSync(Buffer.concat([Buffer.from(`${place.root}/caf`), Buffer.from([0xe9]), Buffer.from('*.txt')]), 'needle\n')
    writeFileSync(Buffer.concat([Buffer.from(`${place.root}/caf`), Buffer.from([0xe8]), Buffer.from('*.txt')]), 'other\n')
    const { text, value } = await use(place, { pattern: 'needle' })
    expect(text).toBe('-\n    1: needle\n--files\n    1: needle\n"a\\nb: 1:"\n    1: needle\né.txt\n    1: needle\n"caf\\xe9*.txt"\n    1: needle')
    expect((value as { path: string }[]).map(({ path }) => path)).toEqual(['-', '--files', 'a\nb: 1:', 'é.txt', 'caf\ufffd*.txt'])
  })
  test('says how many files could not be read', async () => {
    if (process.getuid?.() === 0) return // root reads everything
    const place = await open({ 'a.txt': 'needle\n', 'b.txt': 'needle\n' })
    chmodSync(join(place.root, 'b.txt'), 0)
    expect((await use(place, { pattern: 'needle' })).text).toBe('a.txt\n    1: needle\n… 1 file could not be read')
  })
  test('cuts a long line around the match, and not through a character', async () => {
    const place = await open({ 'a.txt': `${'x'.repeat(1000)}needle${'y'.repeat(1000)}\n`, 'b.txt': `needle${'😀'.repeat(1000)}`, 'c.txt': `${'😀'.repeat(1000)}needle` })
    const { text, value } = await use(place, { pattern: 'needle' })
    expect(text).toBe(
      `a.txt\n    1: (900 characters before)…${'x'.repeat(100)}needle${'y'.repeat(194)}…(806 more characters)\n` +
        `b.txt\n    1: needle${'😀'.repeat(147)}…(1706 more characters)\n` +
        `c.txt\n    1: (1706 characters before)…${'😀'.repeat(147)}needle`,
    )
    expect((value as { text: string }[])[0]!.text.length).toBe(2006)
  })
  test('shows 200 matches, gives Scheme all, and says how to see less', async () => {
    const place = await open({ 'a.txt': 'needle\n'.repeat(150), 'b.txt': 'needle\n'.repeat(150), 'c.txt': 'needle\n' })
    const { text, value } = await use(place, { pattern: 'needle' })
    expect(text.split('\n').length).toBe(203)
    expect(text.endsWith('\nb.txt\n' + Array.from({ length: 50 }, (_, i) => `${String(i + 1).padStart(5)}: needle\n`).join('') + '… 101 more matches in 2 files; narrow the pattern, or give a path or glob')).toBe(true)
    expect((value as unknown[]).length).toBe(301)
  })
  test('shows 30,000 characters at the most', async () => {
    const place = await open({ 'a.txt': `${'needle '.repeat(40)}\n`.repeat(150) })
    const { text } = await use(place, { pattern: 'needle' })
    expect(text.length).toBeLessThanOrEqual(30_100)
    expect(text.split('\n').at(-1)).toBe('… 46 more matches in 1 file; narrow the pattern, or give a path or glob')
  })
  test('a search that finds far too much ends, the same way each time', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, 'e\n'.repeat(100)]))
    const place = await open(many)
    const first = await use(place, { pattern: 'e' })
    expect(first.text.split('\n').at(-1)).toBe('… at least 4800 more matches in 48 files; narrow the pattern, or give a path or glob')
    expect(await use(place, { pattern: 'e' })).toEqual(first)
  })
  test('a line too long to be read is said to be there', async () => {
    const place = await open({ 'a.txt': `${'x'.repeat(20 << 20)}needle\n`, 'b.txt': 'needle\n' })
    expect((await use(place, { pattern: 'needle' })).text).toBe('a.txt\n    ?: (a line too long to be shown)\nb.txt\n    1: needle')
  })
  test('ends when stopped', async () => {
    const stop = new AbortController()
    const place = await open({ 'a.txt': 'x\n'.repeat(1_000_000) })
    const searching = use(place, { pattern: '(x|y|z)*a' }, { signal: stop.signal })
    stop.abort(new Error('stop'))
    await expect(searching).rejects.toThrow('stop')
  })
})
