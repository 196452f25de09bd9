// The built program, as a person or a script runs it: what it prints where, and its exit codes.

import { spawnSync } from 'node:child_process'
import { linkSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeFolder, readText } from './help.ts'

const MAIN = join(import.meta.dirname, '..', 'dist', 'main.js')

function run(args: string[], { cwd = makeFolder(), input = '' }: { cwd?: string; input?: string } = {}): { code: number | null; out: string; err: string } {
  return runIn(makeFolder(), cwd, args, input)
}

/** With a state folder that outlasts it. */
function runIn(state: string, cwd: string, args: string[], input = ''): { code: number | null; out: string; err: string } {
  const env = { ...process.env, NO_COLOR: '1', XDG_STATE_HOME: state, XDG_CONFIG_HOME: state }
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { cwd, input, env, encoding: 'utf8', timeout: 60_000, maxBuffer: 1e8 })
  return { code: status, out: stdout, err: stderr }
}

describe('eval', () => {
  test('prints the last value', () => {
    expect(run(['eval', '(map (lambda (x) (* x x)) (list 1 2 3))'])).toEqual({ code: 0, out: '(1 4 9)\n', err: '' })
    expect(run(['eval', '(define x 1)'])).toEqual({ code: 0, out: '', err: '' })
  })
  test('shows an error with its place, and no stack', () => {
    expect(run(['eval', '(+ 1 (car 42))'])).toEqual({ code: 1, out: '', err: 'eval:1:6: car: expected a pair, got 42\n  (+ 1 (car 42))\n       ^\n' })
  })
  test('exit ends it with its code, after the dynamic-winds, and no handler sees it', () => {
    expect(run(['eval', '(exit 3)']).code).toBe(3)
    expect(run(['eval', '(exit)'])).toEqual({ code: 0, out: '', err: '' })
    expect(run(['eval', "(dynamic-wind (lambda () 1) (lambda () (guard (e (#t 'no)) (exit #f))) (lambda () (display 'after)))"])).toEqual({ code: 1, out: 'after', err: '' })
  })
  test('JSON is data and back', () => {
    expect(run(['eval', '(json-write (json-parse "{\\"a\\": [1, null, 1.5]}"))']).out).toBe('"{\\"a\\":[1,null,1.5]}"\n')
    expect(run(['eval', "(json-write '((a . 1)))"]).err).toBe('eval:1:1: json-write: obj: a key must be a string, got the symbol a\n  (json-write \'((a . 1)))\n  ^\nhelp: write "a"\n')
  })
  test('has no tools unless they are asked for', () => {
    expect(run(['eval', '(fs-read "a.txt")']).err).toBe('eval:1:1: unbound variable fs-read\n  (fs-read "a.txt")\n  ^\n')
    const cwd = makeFolder({ 'a.txt': 'hello' })
    expect(run(['eval', '--tools', '(fs-read "a.txt")'], { cwd }).out).toBe('"hello"\n')
  })
})

describe('call', () => {
  const files = { 'f.txt': 'one\ntwo\n' }
  const edit = (given: object) => JSON.stringify({ path: 'f.txt', ...given })
  test('makes one call as a model would, with the keys that programs rely on', () => {
    const cwd = makeFolder(files)
    const { code, out } = run(['call', 'fs-edit', '-', '--yes', '--json'], { cwd, input: edit({ edits: [{ old: 'one', new: '1' }, { old: 'two', new: '2' }] }) })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({
      ok: true,
      text: 'f.txt: 2 edits applied',
      error: null,
      verdict: 'confirm',
      findings: [{ rule: 'effect', verdict: 'confirm', role: null, argument: null, reason: 'it changes files' }],
      form: '(fs-edit "f.txt" "" "" #f ((("old" . "one") ("new" . "1")) (("old" . "two") ("new" . "2"))))',
      diff: '--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,2 @@\n-one\n-two\n+1\n+2\n',
    })
    expect(readText(cwd, 'f.txt')).toBe('1\n2\n')
  })
  for (const [what, args, code, err] of [
    ['a tool that fails', ['fs-edit', edit({ old: 'zzz', new: 'y' }), '--yes'], 1, 'fs-edit: old not found in f.txt: no line of the file is like it; read the file again\n'],
    ['arguments that are no JSON', ['fs-edit', '{"path"', '--yes'], 2, 'fs-edit: the arguments are not valid JSON: line 1, column 8: expected : after the key, got the end\n'],
    ['a path outside', ['fs-read', '{"path": "../x"}'], 3, null],
    ['a confirm that nobody answers', ['fs-edit', edit({ old: 'one', new: '1' })], 3, 'fs-edit: refused: it changes files, and nobody is there to confirm it\n'],
    ['an unknown tool', ['fs-edt', '{}'], 2, 'unknown tool fs-edt\nhelp: did you mean fs-edit\n'],
  ] as const) {
    test(`${what} exits with ${code}`, () => {
      const result = run(['call', ...args], { cwd: makeFolder(files) })
      expect(result.code).toBe(code)
      expect(result.out).toBe('')
      if (err !== null) expect(result.err).toBe(err)
    })
  }
  test('a result of megabytes comes whole through a pipe', () => {
    const cwd = makeFolder({ 'f.txt': 'k k\n'.repeat(50_000) })
    const { code, out } = run(['call', 'fs-edit', edit({ old: 'k', new: 'kk', replace_all: true }), '--yes', '--json'], { cwd })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ ok: true })
    expect(readText(cwd, 'f.txt')).toBe('kk kk\n'.repeat(50_000))
  })
  test('a file with another name in the workspace is written under both', () => {
    const cwd = makeFolder(files)
    linkSync(join(cwd, 'f.txt'), join(cwd, 'g.txt'))
    expect(run(['call', 'fs-edit', edit({ old: 'one', new: '1' }), '--yes'], { cwd }).code).toBe(0)
    expect(readText(cwd, 'g.txt')).toBe('1\ntwo\n')
  })
})

test('tools --json is what a model gets', () => {
  const { out } = run(['tools', '--json'])
  expect((JSON.parse(out) as { name: string }[]).map(({ name }) => name)).toEqual(['fs-read', 'fs-list', 'fs-find', 'index-grep', 'outline', 'git-status', 'git-diff', 'git-log', 'git-show', 'git-blame', 'fs-write', 'fs-edit', 'fs-move', 'fs-remove', 'fs-undo', 'exec', 'git-commit', 'git-branch', 'git-push', 'net-fetch', 'ask'])
})

test('a model whose server is not there is said in a line', () => {
  const { code, err } = run(['run', 'x', '--model', 'ollama:none', '--unattended'], {})
  expect(code).toBe(1)
  expect(err).not.toMatch(/\n\s+at /)
})

test('an unknown command exits with 2', () => {
  expect(run(['frobnicate'])).toMatchObject({ code: 2, out: '', err: 'unknown command frobnicate\nhelp: the commands are run, eval, repl, call, tools, log, resume, fork, undo, versions, measure, scenarios, demo\n' })
})

test('the demo does its task by itself where nobody types', () => {
  const { code, out, err } = run(['demo', '--terminal'])
  expect(code).toBe(0)
  expect(`${out}${err}`).toContain('check passed: npm test --silent')
}, 60_000)

test('eval is stopped at the limits that it is given', () => {
  expect(run(['eval', '--time-limit', '1', '(let loop () (loop))'])).toEqual({ code: 1, out: '', err: 'out of time: the program took more than 1000 ms\n' })
  expect(run(['eval', '--memory-limit', '300', '(let loop ((l (list))) (loop (cons 1 l)))'])).toEqual({ code: 1, out: '', err: 'out of memory: the program holds more than 300 MB\n' })
})

describe('a folder that was moved', () => {
  test('comes back by one undo, and its versions are listed', () => {
    const cwd = makeFolder({ 'd/a.txt': 'a\n', 'd/b.txt': 'b\n' })
    const state = makeFolder()
    const act = (...args: string[]) => runIn(state, cwd, args)
    expect(act('call', 'fs-move', '{"from": "d", "to": "e"}', '--yes')).toEqual({ code: 0, out: 'd: moved to e\n', err: '' })
    expect(readText(cwd, 'e/a.txt')).toBe('a\n')
    const listed = act('versions').out.split('\n').map((line) => line.replace(/ \d{4}-\S+ \S+/, '').replace(/ +\S+$/, '').trim().replace(/ +/g, ' '))
    expect(listed).toEqual(['1 folder d', '1 2 bytes d/a.txt', '1 2 bytes d/b.txt', '1 no file e/b.txt', '1 no file e/a.txt', '1 no folder e', ''])
    expect(act('versions', 'd/a.txt', '--diff', '1').out).toBe('--- a/d/a.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n')
    expect(act('versions', 'd/a.txt', '--diff', '2')).toEqual({ code: 2, out: '', err: 'd/a.txt has 1 earlier version, got 2\n' })
    expect(act('undo', '--yes').code).toBe(0)
    expect(readText(cwd, 'd/a.txt') + readText(cwd, 'd/b.txt')).toBe('a\nb\n')
    expect(readdirSync(cwd)).toEqual(['d'])
  })
})

describe('scenarios', () => {
  const line = (id: string, tool: string, verdict: string) => JSON.stringify({ id, files: {}, steps: [{ tool, args: { path: '.' }, verdict }] })
  test('tells which the guard misses, and which it cannot judge', () => {
    const cwd = makeFolder({ 's.jsonl': [line('one', 'fs-list', 'allow'), line('two', 'fs-list', 'deny'), line('three', 'no-tool', 'deny')].join('\n') })
    expect(run(['scenarios', 's.jsonl'], { cwd })).toEqual({ code: 1, out: 'missed  two: step 1: expected deny, got allow\nskipped  three: there is no tool no-tool\n3 scenarios: 1 passed, 1 missed, 1 skipped\n', err: '' })
  })
  for (const [text, err] of [
    ['{', 's.jsonl:1: is no valid JSON\nhelp: a file of scenarios holds one JSON object a line\n'],
    ['\n{"id": "a"}', 's.jsonl:2: steps must be a list of at least one step\n'],
    [line('a', 'fs-read', 'maybe'), 's.jsonl:1: step 1: verdict must be allow, confirm, security confirm, deny, got "maybe"\n'],
  ] as const)
    test(`${text.slice(0, 20)} is refused with its line`, () => {
      expect(run(['scenarios', 's.jsonl'], { cwd: makeFolder({ 's.jsonl': text }) })).toEqual({ code: 2, out: '', err })
    })
})
