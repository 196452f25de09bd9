// fs-edit: the cases of test/edit, through the Prim and a real folder; the words of its errors; and the
// laws of applyEdit.

import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Turns } from '../src/session/turns.ts'
import { applyEdit, type Edit } from '../src/tool/apply-edit.ts'
import { applyEdits } from '../src/tool/apply-edits.ts'
import { bindByName } from '../src/tool/bind.ts'
import { fsEdit } from '../src/tool/edit.ts'
import { fromPlain } from '../src/tool/json.ts'
import { openWorkspace } from '../src/tool/open.ts'
import { ToolError, type ToolContext } from '../src/tool/prim.ts'

interface Generated {
  parts: { text: string; times: number }[]
}
interface Outcome {
  after?: string
  after_base64?: string
  error?: string
}
interface Case extends Outcome {
  id: string
  before?: string | null
  before_base64?: string
  before_gen?: Generated
  after_gen?: Generated
  call: { [name: string]: unknown }
  error_has?: string[]
  error_lacks?: string[]
  also_ok?: Outcome[]
  setup?: {
    dirs?: string[]
    files?: { [name: string]: string }
    symlinks?: { [name: string]: string }
    hardlinks?: { [name: string]: string }
    mode?: string
    owner?: [number, number]
    fifo?: string
    before_at?: string
  }
  expect?: { mode?: string; owner?: [number, number]; symlinks?: { [name: string]: string }; files?: { [name: string]: string }; max_ms?: number; max_error_chars?: number }
  race?: { when: 'after_read' | 'write'; do: 'write' | 'delete' | 'touch' | 'fail'; content?: string; errno?: string }
  parallel_calls?: { [name: string]: unknown }[]
  after_on_error?: string
}

const MAIN = join(import.meta.dirname, '..', 'dist', 'main.js')
const lines = readFileSync(new URL('edit/cases.jsonl', import.meta.url), 'utf8').trim().split('\n')
const cases = lines.map((line) => JSON.parse(line) as Case)

function generated({ parts }: Generated): string {
  return parts.map(({ text, times }) => Array.from({ length: times }, (_, i) => text.replaceAll('{i}', String(i))).join('')).join('')
}

function bytesBefore(one: Case): Buffer | null {
  if (one.before_base64 !== undefined) return Buffer.from(one.before_base64, 'base64')
  if (one.before_gen) return Buffer.from(generated(one.before_gen))
  return one.before == null ? null : Buffer.from(one.before)
}

function bytesAfter(outcome: Case | Outcome): Buffer | null {
  if (outcome.after_base64 !== undefined) return Buffer.from(outcome.after_base64, 'base64')
  if ('after_gen' in outcome && outcome.after_gen) return Buffer.from(generated(outcome.after_gen))
  return outcome.after === undefined ? null : Buffer.from(outcome.after)
}

/** Lays a case out in a fresh folder; `file` is where the text before stands. */
function layOut(one: Case, root: string): { file: string; before: Buffer | null } {
  const { setup = {} } = one
  const at = (name: string) => join(root, name)
  const put = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), content)
  }
  for (const name of setup.dirs ?? []) mkdirSync(at(name), { recursive: true })
  for (const [name, content] of Object.entries(setup.files ?? {})) put(name, content)
  const name = setup.before_at ?? String(one.call['path'] ?? one.call['file'] ?? one.call['filePath'])
  const before = bytesBefore(one)
  if (before) put(name, before)
  for (const [link, target] of Object.entries(setup.symlinks ?? {})) symlinkSync(target, at(link))
  for (const [link, target] of Object.entries(setup.hardlinks ?? {})) linkSync(at(target), at(link))
  if (setup.owner) chownSync(at(name), ...setup.owner)
  if (setup.mode) chmodSync(at(name), parseInt(setup.mode, 8))
  if (setup.fifo) execFileSync('mkfifo', [at(setup.fifo)])
  return { file: at(name), before }
}

async function run(one: Case, root: string, file: string): Promise<string | null> {
  const { race } = one
  const act = () => {
    if (race?.do === 'write') writeFileSync(file, race.content!)
    if (race?.do === 'delete') unlinkSync(file)
    if (race?.do === 'touch') utimesSync(file, new Date(0), new Date(0))
  }
  const fail = () => {
    if (race?.do === 'fail') throw Object.assign(new Error(race.errno), { code: race.errno, syscall: 'write' })
  }
  const state = mkdtempSync(join(tmpdir(), 'nodwyn-state-'))
  const workspace = await openWorkspace(root, { state, hooks: race?.when === 'write' ? { beforeWrite: fail } : {} })
  const turns = new Turns()
  const context = { workspace, signal: new AbortController().signal } as unknown as ToolContext
  const call = async (given: { [name: string]: unknown }) => {
    const { args } = bindByName(fsEdit, fromPlain(given))
    const leave = await turns.take([(await workspace.resolve(args.get('path') as string)).real])
    try {
      const plan = await fsEdit.plan!(args, context)
      if (race?.when === 'after_read') act()
      await workspace.commit(plan.changes, { session: 's', call: 'c' })
    } finally {
      leave()
    }
  }
  try {
    await Promise.all([one.call, ...(one.parallel_calls ?? [])].map(call))
    return null
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return [error.message, ...(error.help ? [error.help] : [])].join('\nhelp: ')
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
}

describe('cases', () => {
  for (const one of cases) {
    test(one.id, async (context) => {
      if (one.setup?.owner && process.getuid?.() !== 0) context.skip('only root can give a file away')
      const root = realpathSync(mkdtempSync(join(tmpdir(), 'nodwyn-edit-')))
      try {
        const { file, before } = layOut(one, root)
        const started = performance.now()
        const error = await run(one, root, file)
        const took = performance.now() - started
        const now = (() => {
          try {
            return statSync(file).isFile() ? readFileSync(file) : null
          } catch {
            return null
          }
        })()
        const others = one.also_ok ?? []
        if (error === null) {
          const wanted = [one as Outcome, ...others].flatMap((outcome) => bytesAfter(outcome) ?? [])
          expect(wanted.length, `it should fail: ${one.error}`).toBeGreaterThan(0)
          expect(wanted.map(String)).toContain(String(now))
          expect(wanted.some((bytes) => now !== null && bytes.equals(now))).toBe(true)
        } else {
          expect([one as Outcome, ...others].some((outcome) => outcome.error !== undefined), error).toBe(true)
          const lower = error.toLowerCase()
          if (one.error !== undefined) {
            for (const word of one.error_has ?? []) expect(lower).toContain(word.toLowerCase())
            for (const word of one.error_lacks ?? []) expect(lower).not.toContain(word.toLowerCase())
          }
          expect(error.length).toBeLessThanOrEqual(one.expect?.max_error_chars ?? 2000)
          if (one.after_on_error !== undefined) expect(String(now)).toBe(one.after_on_error)
          else if (one.race?.do !== 'delete') expect(now && String(now)).toBe(before && String(before))
          else expect(now).toBe(null)
        }
        // A test asserts no time; a bound ten times as wide only tells a hang.
        if (one.expect?.max_ms) expect(took).toBeLessThan(10 * one.expect.max_ms)
        checkDisk(one, root, file)
      } finally {
        rmSync(root, { recursive: true, force: true })
      }
    })
  }
})

// A sample, through the program itself: what is left out needs a moment between reading and writing.
describe('through the program', () => {
  const sample = cases.filter((one) => !one.race && !one.parallel_calls && !one.setup?.owner && one.call['path'] !== undefined).filter((_, i) => i % 8 === 0)
  test.each(sample.map((one) => [one.id, one] as const))('%s', (_id, one) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'nodwyn-edit-')))
    const state = mkdtempSync(join(tmpdir(), 'nodwyn-state-'))
    try {
      const { file, before } = layOut(one, root)
      const env = { ...process.env, NO_COLOR: '1', XDG_STATE_HOME: state, XDG_CONFIG_HOME: state }
      const { status, stdout } = spawnSync(process.execPath, [MAIN, 'call', 'fs-edit', '-', '--yes', '--json'], { cwd: root, env, input: JSON.stringify(one.call), encoding: 'utf8' })
      const { ok, error, text } = JSON.parse(stdout) as { ok: boolean; error: { message: string } | null; text: string }
      const now = existsSync(file) && statSync(file).isFile() ? readFileSync(file) : null
      const wanted = [one as Outcome, ...(one.also_ok ?? [])]
      if (ok) {
        expect(status).toBe(0)
        expect(wanted.flatMap((outcome) => bytesAfter(outcome) ?? []).map(String)).toContain(String(now))
      } else {
        expect(status).not.toBe(0)
        expect(wanted.some((outcome) => outcome.error !== undefined), error!.message).toBe(true)
        for (const word of one.error_has ?? []) expect(text.toLowerCase()).toContain(word.toLowerCase())
        expect(now && String(now)).toBe(before && String(before))
      }
      checkDisk(one, root, file)
    } finally {
      rmSync(root, { recursive: true, force: true })
      rmSync(state, { recursive: true, force: true })
    }
  })
})

function checkDisk({ expect: wanted = {} }: Case, root: string, file: string): void {
  if (wanted.mode) expect((statSync(file).mode & 0o7777).toString(8)).toBe(parseInt(wanted.mode, 8).toString(8))
  if (wanted.owner) expect([statSync(file).uid, statSync(file).gid]).toEqual(wanted.owner)
  for (const [link, target] of Object.entries(wanted.symlinks ?? {})) expect(readlinkSync(join(root, link))).toBe(target)
  for (const [name, content] of Object.entries(wanted.files ?? {})) expect(readFileSync(join(root, name), 'utf8')).toBe(content)
  const strays = execFileSync('find', [root, '-name', '*.nodwyn'], { encoding: 'utf8' })
  expect(strays).toBe('')
}

describe('laws', () => {
  // Few letters, so that matches are common; breaks of both kinds.
  const text = fc.array(fc.constantFrom('a', 'b', 'ab', ' ', '\n', '\r\n', 'é', '😀'), { maxLength: 40 }).map((parts) => parts.join(''))
  const part = fc.array(fc.constantFrom('a', 'b', '\n', 'é', '😀', '$&'), { maxLength: 4 }).map((parts) => parts.join(''))
  const edit: fc.Arbitrary<Edit> = fc.record({ old: part, new: part, replaceAll: fc.boolean() })

  /** One by one, as applyEdits says that it does. */
  function inTurn(text: string, edits: Edit[]): ReturnType<typeof applyEdits> {
    const failures: ReturnType<typeof applyEdits>['failures'] = []
    edits.forEach((one, index) => {
      const result = applyEdit(text, one)
      if (result.ok) text = result.text
      else failures.push({ index, failure: result.failure, text })
    })
    return { text, failures }
  }

  test('a list equals the same single edits in turn, failures and all', () => {
    fc.assert(fc.property(text, fc.array(edit, { maxLength: 8 }), (before, edits) => void expect(applyEdits(before, edits)).toEqual(inTurn(before, edits))), { numRuns: 500 })
  })

  test('so does one whose edits are cut from the text and from what others leave', () => {
    // Longer words, of which some repeat; places by number, so that most edits apply and some touch.
    const words = fc.array(fc.constantFrom('alpha ', 'beta\n', 'gamma(', 'delta) ', 'alphabet', '\n\n', '😀é '), { minLength: 3, maxLength: 30 }).map((parts) => parts.map((part, i) => part + (i % 3 === 0 ? i : '')).join(''))
    const cut = fc.tuple(fc.nat(), fc.integer({ min: 3, max: 20 }), fc.constantFrom('', 'new', 'alpha ', 'beta\nx', 'zzz'), fc.boolean())
    fc.assert(
      fc.property(words, fc.array(cut, { minLength: 3, maxLength: 12 }), (before, cuts) => {
        // Long enough for the way that long texts take, and no place more in it.
        const padding = '.'.repeat(500 * cuts.length)
        before += padding
        let now = before
        const edits = cuts.map(([at, length, replaced, ofNow]): Edit => {
          const source = ofNow ? now : before
          const start = at % Math.max(1, source.length - padding.length)
          const one = { old: source.slice(start, start + length), new: replaced, replaceAll: false }
          const result = applyEdit(now, one)
          if (result.ok) now = result.text
          return one
        })
        expect(applyEdits(before, edits)).toEqual(inTurn(before, edits))
      }),
      { numRuns: 2000 },
    )
  })

  test('nothing changes outside the matches', () => {
    fc.assert(
      fc.property(text, text, fc.constantFrom('Q', 'Q\nQ'), part, (head, tail, old, replaced) => {
        const result = applyEdit(`${head}${old}${tail}`, { old, new: replaced, replaceAll: false })
        if (!result.ok) return expect(old).toBe(replaced)
        expect(result.text.startsWith(head)).toBe(true)
        expect(result.text.endsWith(tail)).toBe(true)
      }),
    )
  })

  test('replace_all leaves no occurrence that it did not make', () => {
    fc.assert(
      fc.property(text, part, (before, old) => {
        fc.pre(old !== '' && !old.includes('Z'))
        const result = applyEdit(before, { old, new: 'Z', replaceAll: true })
        if (result.ok) expect(applyEdit(result.text, { old, new: 'Z', replaceAll: true }).ok).toBe(false)
        else expect(result.failure.kind).toBe('not-found')
      }),
    )
  })

  test('an edit and its reverse give the text back where both are unique', () => {
    fc.assert(
      fc.property(text, part, part, (before, old, replaced) => {
        // Where the only line break goes, nothing is left that tells which kind it was.
        fc.pre(!before.includes('\r\n'))
        const there = applyEdit(before, { old, new: replaced, replaceAll: false })
        if (!there.ok || replaced === '') return
        const back = applyEdit(there.text, { old: replaced, new: old, replaceAll: false })
        if (back.ok) expect(back.text).toBe(before)
      }),
    )
  })

  test('an old that occurs more than once is refused, overlaps counted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 30 }), (n) => {
        const result = applyEdit('a'.repeat(n + 1), { old: 'aa', new: 'b', replaceAll: false })
        expect(result).toEqual({ ok: false, failure: { kind: 'not-unique', at: Array.from({ length: n }, (_, i) => i) } })
      }),
    )
  })
})
