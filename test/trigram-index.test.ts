// The index of index-grep: with it the answers are what they are without, whatever happened to the files
// and to the index itself, and it does name fewer files.

import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bindByName } from '../src/tool/bind.ts'
import { makeIndexGrep } from '../src/tool/grep.ts'
import { fromPlain } from '../src/tool/json.ts'
import { openWorkspace } from '../src/tool/open.ts'
import { ToolError, type Prim } from '../src/tool/prim.ts'
import { requiredLiterals } from '../src/tool/required-literal.ts'
import { statFiles, TrigramIndex } from '../src/tool/trigram-index.ts'
import type { Workspace } from '../src/tool/workspace.ts'
import { makeFolder } from './help.ts'

/** Files that were just made are no longer fresh, so that they are indexed. */
const clock = () => Date.now() + 10_000
const indexed = makeIndexGrep({ files: 0, awaitsIndex: true, clock })
const plain = makeIndexGrep({ files: Infinity, bytes: Infinity })

async function open(files: Record<string, string> = {}): Promise<{ root: string; workspace: Workspace }> {
  const root = makeFolder(files)
  return { root, workspace: await openWorkspace(root, { state: makeFolder() }) }
}

async function use(workspace: Workspace, pattern: string, { prim = indexed, ...given }: { prim?: Prim; path?: string; glob?: string; context?: number } = {}): Promise<string> {
  const { args } = bindByName(prim, fromPlain({ pattern, ...given }))
  try {
    const { text } = await prim.run!(args, { workspace, signal: new AbortController().signal, mayRead: () => Promise.resolve(true), ask: () => Promise.reject(new Error('asked')), progress: () => {} })
    return text
  } catch (error) {
    if (error instanceof ToolError) return error.message
    throw error
  }
}

/** The files that an index of these names for the texts. */
async function named({ root, workspace }: { root: string; workspace: Workspace }, texts: string[]): Promise<string[]> {
  const files = (readdirSync(root, { recursive: true }) as string[]).filter((name) => statSync(join(root, name)).isFile()).sort()
  const states = await statFiles(root, files, new AbortController().signal)
  return (await new TrigramIndex(workspace.cache, root, clock).narrow(files, states, texts)).search
}

function databases(workspace: Workspace): string[] {
  return readdirSync(workspace.cache).filter((name) => name.endsWith('.db')).map((name) => join(workspace.cache, name))
}

function rowCount(workspace: Workspace): number {
  const database = new DatabaseSync(databases(workspace)[0]!)
  const { n } = database.prepare('select count(*) as n from file').get()!
  database.close()
  return Number(n)
}

describe('required literals', () => {
  for (const [pattern, want] of [
    ['needle', ['needle']],
    ['two needles', ['two needles']],
    ['ab', []],
    ['foo\\(bar\\)', ['foo(bar)']],
    ['foo.*bar', ['foo', 'bar']],
    ['^import \\w+ from$', ['import ', ' from']],
    ['colou?r', ['colo']],
    ['fooo+bar', ['fooo', 'bar']],
    ['fooo+?bar', ['fooo', 'bar']],
    ['abcd*efg', ['abc', 'efg']],
    ['abcd{0}efg', ['abc', 'efg']],
    ['abcd{0,}?efg', ['abc', 'efg']],
    ['abc{', []],
    ['foo|bar', []],
    ['abc(foo|bar)def', ['abc', 'def']],
    ['abc(foo)?def', ['abc', 'def']],
    ['abc(?:x(y[)]z)\\))def', ['abc', 'def']],
    ['abc(?P<n>x)(?<m>y)def', ['abc', 'def']],
    ['abc(?i)def', []],
    ['abc(?i:x)def', []],
    ['(?x) a b c d', []],
    ['abc[|]def', ['abc', 'def']],
    ['abc[^\\]]*def', ['abc', 'def']],
    ['abc[]d]efg', []],
    ['abc[[:alpha:]]def', []],
    ['abc\\x41def', []],
    ['abc\\u{41}def', []],
    ['abc\\p{L}def', []],
    ['\\bword\\b', ['word']],
    ['\\b{start}word', ['word']],
    ['\\<word\\>', ['word']],
    ['abc\\ndef', ['abc', 'def']],
    ['caféine', ['caf', 'ine']],
    ['abcé?def', ['abc', 'def']],
    ['abc\tdef', ['abc', 'def']],
    ['abc\\', []],
    ['abc)def', ['abc)def']],
    ['a]b}c', ['a]b}c']],
    ['abc-def/ghi', ['abc-def/ghi']],
  ] as const) {
    test(`of ${JSON.stringify(pattern)} are ${JSON.stringify(want)}`, () => {
      expect(requiredLiterals(pattern)).toEqual(want)
    })
  }
})

describe('the index', () => {
  const files = { 'a.ts': 'one needle\n', 'b.ts': 'two\n', 'deep/c.ts': 'nee\ndle\n', 'deep/d.ts': 'Needle\n', 'e.ts': '' }

  test('names the files that may hold a text, and those that it does not know', async () => {
    const place = await open(files)
    writeFileSync(join(place.root, 'binary'), 'needle\0')
    writeFileSync(join(place.root, 'latin'), Buffer.from('\xe9', 'latin1'))
    writeFileSync(join(place.root, 'late-nul'), `${'x'.repeat(9000)}\0`)
    writeFileSync(join(place.root, 'large'), 'x'.repeat(2_000_001))
    writeFileSync(join(place.root, 'utf16'), Buffer.from('\ufeffneedle', 'utf16le'))
    expect(await use(place.workspace, 'needle')).toBe('a.ts\n    1: one needle\nutf16\n    1: needle')
    writeFileSync(join(place.root, 'new'), '')
    expect(await named(place, ['needle'])).toEqual(['a.ts', 'large', 'late-nul', 'latin', 'new', 'utf16'])
    expect(await named(place, ['needle', 'one '])).toEqual(['a.ts', 'large', 'late-nul', 'latin', 'new', 'utf16'])
    expect(await named(place, ['needle', 'two'])).toEqual(['large', 'late-nul', 'latin', 'new', 'utf16'])
  })
  test('is not used where files changed a moment ago', async () => {
    const place = await open(files)
    const prim = makeIndexGrep({ files: 0, awaitsIndex: true })
    expect(await use(place.workspace, 'needle', { prim })).toBe('a.ts\n    1: one needle')
    expect(rowCount(place.workspace)).toBe(0)
    await use(place.workspace, 'needle')
    expect(rowCount(place.workspace)).toBe(5)
  })
  test('is not made for a small tree, nor for a pattern that requires no text', async () => {
    const { workspace } = await open(files)
    await use(workspace, 'needle', { prim: makeIndexGrep({ files: 6, awaitsIndex: true, clock }) })
    await use(workspace, 'needle|x')
    expect(() => readdirSync(workspace.cache)).toThrow('ENOENT')
  })
  test('sees an edit that keeps size and times', async () => {
    const { root, workspace } = await open(files)
    expect(await use(workspace, 'twa')).toBe('no match for "twa" in 5 files')
    const { atime, mtime } = statSync(join(root, 'b.ts'))
    writeFileSync(join(root, 'b.ts'), 'twa\n')
    utimesSync(join(root, 'b.ts'), atime, mtime)
    expect(await use(workspace, 'twa')).toBe('b.ts\n    1: twa')
    expect(await use(workspace, 'two')).toBe('no match for "two" in 5 files')
  })
  test('sees files that are new, renamed, replaced and gone', async () => {
    const { root, workspace } = await open(files)
    await use(workspace, 'needle')
    renameSync(join(root, 'a.ts'), join(root, 'z.ts'))
    writeFileSync(join(root, 'n.ts'), 'needle\n')
    writeFileSync(join(root, 'b.new'), 'a needle\n')
    renameSync(join(root, 'b.new'), join(root, 'b.ts'))
    rmSync(join(root, 'deep'), { recursive: true })
    expect(await use(workspace, 'needle')).toBe('b.ts\n    1: a needle\nn.ts\n    1: needle\nz.ts\n    1: one needle')
    expect(rowCount(workspace)).toBe(4)
    expect(await use(workspace, 'needle')).toBe('b.ts\n    1: a needle\nn.ts\n    1: needle\nz.ts\n    1: one needle')
  })
  test('sees what .gitignore names at once', async () => {
    const { root, workspace } = await open(files)
    await use(workspace, 'needle')
    writeFileSync(join(root, '.gitignore'), 'a.ts\n')
    expect(await use(workspace, 'needle')).toBe('no match for "needle" in 5 files')
  })
  test('says what is wrong with a pattern where it names no file', async () => {
    const { workspace } = await open(files)
    await use(workspace, 'needle')
    expect(await use(workspace, 'nowhere\\8')).toBe('the pattern "nowhere\\\\8" cannot be used: backreferences are not supported')
    expect(await use(workspace, 'nowhere)')).toBe('the pattern "nowhere)" cannot be used: unopened group')
  })
  test('of a folder keeps what is known of the others', async () => {
    const place = await open(files)
    await use(place.workspace, 'needle')
    expect(await use(place.workspace, 'Needle', { path: 'deep' })).toBe('deep/d.ts\n    1: Needle')
    expect(await use(place.workspace, 'Needle', { glob: '*.ts' })).toBe('deep/d.ts\n    1: Needle')
    expect(rowCount(place.workspace)).toBe(5)
  })
})

describe('an index that cannot be used', () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}.ts`, `needle${i} ${'word '.repeat(i)}\n${Math.sin(i)}`]))
  for (const [name, damage] of [
    ['no database', (path: string) => writeFileSync(path, 'x'.repeat(5000))],
    ['cut off', (path: string) => truncateSync(path, 8192)],
    ['empty', (path: string) => truncateSync(path, 0)],
    ['without a table', (path: string) => change(path, 'drop table file')],
    ['without the other table', (path: string) => change(path, 'drop table trigram')],
    ['overwritten', (path: string) => writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, 100), Buffer.alloc(40_000, 0xa5)]))],
  ] as const) {
    test(`${name} gives the same answer, and is built anew`, async () => {
      const place = await open(many)
      const want = await use(place.workspace, 'needle1\\d', { prim: plain })
      expect(await use(place.workspace, 'needle1\\d')).toBe(want)
      damage(databases(place.workspace)[0]!)
      expect(await use(place.workspace, 'needle1\\d')).toBe(want)
      expect(await use(place.workspace, 'needle1\\d')).toBe(want)
      expect(await named(place, ['needle1'])).toEqual(['f1.ts', ...Array.from({ length: 10 }, (_, i) => `f1${i}.ts`)])
      expect(databases(place.workspace).length).toBe(1)
    })
  }
  test('without a place for it, searches without', async () => {
    const { workspace } = await open({ 'a.ts': 'needle' })
    mkdirSync(dirname(workspace.cache), { recursive: true })
    writeFileSync(workspace.cache, '')
    expect(await use(workspace, 'needle')).toBe('a.ts\n    1: needle')
  })
  test('held by another program, searches without waiting for it', async () => {
    const { root, workspace } = await open({ 'a.ts': 'needle' })
    await use(workspace, 'needle')
    const other = new DatabaseSync(databases(workspace)[0]!)
    other.exec('begin immediate')
    writeFileSync(join(root, 'b.ts'), 'needle')
    const started = performance.now()
    expect(await use(workspace, 'needle', { prim: makeIndexGrep({ files: 0, clock }) })).toBe('a.ts\n    1: needle\nb.ts\n    1: needle')
    expect(performance.now() - started).toBeLessThan(2000)
    other.close()
  })
})

function change(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

describe('programs beside each other', () => {
  const program = (place: { root: string; state: string }, awaitsIndex: boolean) => `
    const { makeIndexGrep } = await import(${JSON.stringify(join(import.meta.dirname, '../src/tool/grep.ts'))})
    const { openWorkspace } = await import(${JSON.stringify(join(import.meta.dirname, '../src/tool/open.ts'))})
    const workspace = await openWorkspace(${JSON.stringify(place.root)}, { state: ${JSON.stringify(place.state)} })
    const prim = makeIndexGrep({ files: 0, awaitsIndex: ${awaitsIndex}, clock: () => Date.now() + 10_000 })
    const hold = ${awaitsIndex} ? setInterval(() => {}, 1000) : undefined
    for (let i = 0; i < 3; i++) {
      const { text } = await prim.run(new Map([['pattern', 'needle7\\\\b'], ['path', '.']]), { workspace, signal: new AbortController().signal, mayRead: async () => true })
      console.log(text)
    }
    clearInterval(hold)`
  const run = (place: { root: string; state: string }, awaitsIndex: boolean) =>
    new Promise<string>((resolve) => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program(place, awaitsIndex)])
      let out = ''
      child.stdout.on('data', (text) => (out += text))
      child.stderr.on('data', (text) => (out += text))
      child.on('close', () => resolve(out))
    })
  const layOut = (more = '') => ({ root: makeFolder(Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`f${i}.ts`, `needle${i}\n${Math.sin(i)}\n`.repeat(20) + more]))), state: makeFolder() })
  const answer = `f7.ts\n${Array.from({ length: 20 }, (_, i) => `${String(2 * i + 1).padStart(5)}: needle7\n`).join('')}`

  test('build one whole index', async () => {
    const place = layOut()
    expect(await Promise.all([run(place, true), run(place, true)])).toEqual([answer.repeat(3), answer.repeat(3)])
    const workspace = await openWorkspace(place.root, { state: place.state })
    expect(rowCount(workspace)).toBe(400)
    change(databases(workspace)[0]!, "insert into trigram (trigram) values ('integrity-check')")
    expect(await named({ root: place.root, workspace }, ['needle7'])).toEqual(Object.keys({ 'f7.ts': 0, ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`f7${i}.ts`, 0])) }))
  })
  test('end when they are done, whatever is left to build', async () => {
    const place = layOut(Array.from({ length: 5000 }, (_, i) => Math.sin(i)).join('\n'))
    expect(await run(place, false)).toBe(answer.repeat(3))
    const workspace = await openWorkspace(place.root, { state: place.state })
    expect(databases(workspace).length === 0 || rowCount(workspace) < 400).toBe(true)
  })
})

const word = fc.constantFrom('abc', 'abcd', 'bcd', 'cab', 'ABC', 'a.c', 'é', 'x', 'aab', '(', ' ', '-', '\t', 'abcabc', '\r')
const content = fc.array(fc.oneof({ weight: 5, arbitrary: word }, { weight: 1, arbitrary: fc.constantFrom('\n', '\r\n', '\0', '\ufeff') }), { maxLength: 12 }).map((words) => words.join(''))
const path = fc.constantFrom('a', 'b', 'c.ts', 'd/a', 'd/b', 'd/e/f.ts', '-x', '.h')
const tree = fc.dictionary(path, content, { maxKeys: 8 })
const atom = fc.oneof(
  { weight: 6, arbitrary: word.map((text) => text.replace(/[.(\r]/g, '\\$&')) },
  { weight: 4, arbitrary: fc.constantFrom('.', '\\w', '\\b', '[ab]', '[^a]', '[\\]a]', '[]a]', '[[:alpha:]]', '(abc)', '(?:abc|bcd)', '(a(?:b)c)', '(?i)', '(?i:abc)', '\\x61', '\\x{61}bc', '\\u0061', '^', '$', '\\s', '\\<', '\\>', '\\t', '\\.', '\\p{L}', '\\pL', '(?x)', '(?s)', '(?-u:a)', '\\b{start}', 'é', '{', ')') },
)
const quantifier = fc.oneof({ weight: 5, arbitrary: fc.constant('') }, { weight: 3, arbitrary: fc.constantFrom('?', '*', '+', '{0}', '{0,}', '{2}', '{1,2}', '{0,1}?', '+?', '*?', '??', '|') })
const pattern = fc.array(fc.tuple(atom, quantifier).map((parts) => parts.join('')), { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''))

describe('whatever the files and the pattern', () => {
  test('the answer with the index is the answer without', { timeout: 120_000 }, async () => {
    let narrowed = 0
    await fc.assert(
      fc.asyncProperty(fc.array(tree, { minLength: 2, maxLength: 3 }), fc.array(pattern, { minLength: 1, maxLength: 3 }), fc.integer({ min: 0, max: 1 }), async (trees, patterns, context) => {
        const place = await open()
        for (const files of trees) {
          // What is not in the next tree is gone, what is in both may change.
          for (const name of readdirSync(place.root)) if (!Object.keys(files).some((file) => file.split('/')[0] === name)) rmSync(join(place.root, name), { recursive: true })
          for (const [name, text] of Object.entries(files)) {
            mkdirSync(dirname(join(place.root, name)), { recursive: true })
            writeFileSync(join(place.root, name), text)
          }
          for (const one of patterns) {
            if (requiredLiterals(one).length > 0) narrowed++
            const [want, got] = [await use(place.workspace, one, { prim: plain, context }), await use(place.workspace, one, { context })]
            expect(got).toBe(want)
            // With all of it indexed.
            expect(await use(place.workspace, one, { context })).toBe(want)
          }
        }
      }),
      { numRuns: 60 },
    )
    expect(narrowed).toBeGreaterThan(50)
  })
})
