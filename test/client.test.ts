// Events in, text out: what a person sees and what their answers mean.

import { describe, expect, it } from 'vitest'
import { cardPages, question, readAnswer } from '../src/client/card.ts'
import { complaintText } from '../src/client/complain.ts'
import { shortForm } from '../src/client/short-form.ts'
import { Figures } from '../src/client/status.ts'
import { Transcript } from '../src/client/transcript.ts'
import { visible } from '../src/client/visible.ts'
import type { Event, EventBody, Passing } from '../src/session/event.ts'
import type { Card } from '../src/session/person.ts'

const plain = (text: string): string => text
const NO_COLORS = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain } as never
/** Colours as letters, so that a test sees where they are. */
const LETTERS = {
  bold: (text: string) => `B[${text}]`,
  dim: plain,
  red: (text: string) => `R[${text}]`,
  green: (text: string) => `G[${text}]`,
  yellow: plain,
  cyan: (text: string) => `C[${text}]`,
} as never

const DIFF = '--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n'

function event(body: EventBody): Event {
  return { v: 1, t: '2026-01-01T00:00:00.000Z', session: 's', seq: 0, ctx: 'main', ...body }
}

/** What stands on the terminal after these events. */
function shows(...events: (EventBody | Passing)[]): string {
  let text = ''
  const transcript = new Transcript((more) => (text += more), NO_COLORS)
  for (const one of events) {
    if (['delta', 'diff', 'progress', 'output'].includes(one.type)) transcript.passing(one as Passing)
    else transcript.event(event(one as EventBody))
  }
  return text
}

function reply(text: string): EventBody {
  return {
    type: 'llm.resp', req: 'r', text, thinking: '', tool_calls: [], stop: 'stop', prompt_eval_ms: null, eval_ms: null,
    usage: { prompt_tokens: 1200, cached_tokens: 600, completion_tokens: 30 },
  }
}

describe('the short form of a call', () => {
  const short = (form: string, expected: string): void => expect(shortForm(form)).toBe(expected)

  it('cuts the strings of an edits list and all edits but the first', () => {
    short(
      '(fs-edit "Makefile" "" "" #f ((("old" . "a\\"b") ("new" . "c")) (("old" . "d") ("new" . "e"))))',
      'fs-edit ("Makefile" "" "" #f ((("old" . "…") ("new" . "…")) …))',
    )
  })
  it('keeps a list of words whole', () => short('(exec "" ("npm" "test"))', 'exec ("" ("npm" "test"))'))
  it('shows a line break as it is typed', () => short('(fs-write "a" "x\ny")', 'fs-write ("a" "x\\ny")'))
  it('cuts a long string', () => short(`(fs-write "a" "${'x'.repeat(80)}")`, `fs-write ("a" "${'x'.repeat(59)}…")`))
  it('leaves what is no form as it is', () => short('(fs-edit {"path": ', '(fs-edit {"path": '))
})

describe('what is dangerous to a terminal', () => {
  it('is shown by code point', () => {
    expect(visible('a\u001b[2Jb\u202ec\u200bd\te\n')).toBe('a<U+001B>[2Jb<U+202E>c<U+200B>d\te\n')
    expect(visible('a\r\n')).toBe('a␍\n')
    expect(visible('\u{e0041}')).toBe('<U+E0041>')
  })
})

describe('the transcript', () => {
  it('shows a call, its diff and what came of it, in this order', () => {
    expect(
      shows(
        { type: 'tool.call', id: 'c1', name: 'fs-edit', form: '(fs-edit "a.txt" "two" "2")', verdict: 'allow', findings: [] },
        { type: 'diff', id: 'c1', diff: DIFF },
        { type: 'tool.result', id: 'c1', ok: true, text: 'one edit in a.txt', error: null, ms: 1, labels: [] },
      ),
    ).toBe('fs-edit ("a.txt" "two" "2")\n  --- a.txt\n  +++ a.txt\n  @@ -1,2 +1,2 @@\n   one\n  -two\n  +2\n  one edit in a.txt\n')
  })
  it('puts results under their calls where these run side by side', () => {
    const call = (id: string): EventBody => ({ type: 'tool.call', id, name: 'fs-read', form: `(fs-read "${id}")`, verdict: 'allow', findings: [] })
    const result = (id: string): EventBody => ({ type: 'tool.result', id, ok: true, text: `of ${id}`, error: null, ms: 1, labels: [] })
    expect(shows(call('a'), call('b'), result('b'), result('a'))).toBe('fs-read ("b")\n  of b\nfs-read ("a")\n  of a\n')
  })
  it('writes a streamed reply once', () => {
    expect(shows({ type: 'delta', ctx: 'main', kind: 'text', text: '\nLook' }, { type: 'delta', ctx: 'main', kind: 'text', text: 'ing.' }, reply('Looking.'))).toBe('Looking.\n')
  })
  it('writes a reply that was not streamed', () => expect(shows(reply('Done.'))).toBe('Done.\n'))
  it('gives the reason of a security confirm before the call', () => {
    const findings = [{ rule: 'protected', verdict: 'security confirm' as const, role: 'path', argument: 'path', reason: 'git runs this file' }]
    expect(shows({ type: 'tool.call', id: 'c', name: 'fs-write', form: '(fs-write ".husky/x" "y")', verdict: 'security confirm', findings })).toBe(
      'git runs this file\nfs-write (".husky/x" "y")\n',
    )
  })
  it('cuts a long result', () => {
    const text = Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n')
    expect(shows({ type: 'tool.result', id: 'c', ok: true, text, error: null, ms: 1, labels: [] })).toBe(
      `${Array.from({ length: 7 }, (_, i) => `  line ${i}\n`).join('')}  … 13 more lines\n`,
    )
  })
  it('says who answered where it was no person', () => {
    expect(shows({ type: 'confirm', id: 'c', kind: 'ordinary', answer: 'yes', by: 'policy' })).toBe('  yes, by policy\n')
  })
  it('shows one line of a bug', () => {
    expect(shows({ type: 'note', level: 'error', text: 'internal error: x\n    at y' })).toBe('internal error: x\n')
  })
})

describe('the card', () => {
  const card: Card = { id: 'c', name: 'fs-edit', kind: 'ordinary', reasons: [], offers: [], form: '(fs-edit "a.txt" "two" "2")', diff: DIFF }

  it('colours its diff', () => {
    expect(cardPages(card, LETTERS, 50)).toEqual(['  B[--- a.txt]\n  B[+++ a.txt]\n  C[@@ -1,2 +1,2 @@]\n   one\n  R[-two]\n  G[+2]'])
  })
  it('comes in pages where it is longer than the screen', () => {
    expect(cardPages(card, NO_COLORS, 4)).toEqual(['  --- a.txt\n  +++ a.txt\n  @@ -1,2 +1,2 @@\n   one', '  -two\n  +2'])
  })
  it('counts the lines of the screen that a long line takes, and splits no letter', () => {
    const long = { ...card, diff: `--- a\n+++ a\n@@ -1,1 +1,1 @@\n-${'x'.repeat(50)}\n+${'\u{1f600}'.repeat(8)}\n` }
    const pages = cardPages(long, NO_COLORS, 3, 22)
    expect(pages.slice(1).join('\n').split('\n')).toEqual([`  -${'x'.repeat(19)}`, `  ${'x'.repeat(20)}`, `  ${'x'.repeat(11)}`, `  +${'\u{1f600}'.repeat(8)}`])
    expect(pages.every((page) => page.split('\n').length <= 3)).toBe(true)
  })
  it('shows what changes white space alone last, file by file', () => {
    const hunk = (line: number, old: string, now: string) => `@@ -${line},1 +${line},1 @@\n-${old}\n+${now}\n`
    const diff = `--- a/a\n+++ b/a\n${hunk(1, 'x', '  x')}${hunk(9, 'y', 'z')}--- a/b\n+++ b/b\n${hunk(1, 'x', ' x')}`
    expect(cardPages({ ...card, diff }, NO_COLORS, 50)[0]!.replace(/^  /gm, '')).toBe(`--- a/a\n+++ b/a\n${hunk(9, 'y', 'z')}${hunk(1, 'x', '  x')}--- a/b\n+++ b/b\n${hunk(1, 'x', ' x')}`.trimEnd())
  })
  it('asks to write or to run', () => {
    expect(question(card)).toBe('write it? y, n, or n and why: ')
    expect(question({ ...card, diff: null })).toBe('run it? y, n, or n and why: ')
    expect(question({ ...card, kind: 'security' })).toBe('write it all the same? y, n, or n and why: ')
  })
  it('takes y and n alone, and the words after n', () => {
    expect(readAnswer('y')).toEqual({ yes: true, reason: '' })
    expect(readAnswer(' Yes ')).toEqual({ yes: true, reason: '' })
    expect(readAnswer('n')).toEqual({ yes: false, reason: '' })
    expect(readAnswer('n keep the old header')).toEqual({ yes: false, reason: 'keep the old header' })
    expect(readAnswer('no, keep it')).toEqual({ yes: false, reason: 'keep it' })
    for (const line of ['', 'yep', 'nothing', 'fix it', 'y it']) expect(readAnswer(line)).toBe(null)
  })
})

describe('a complaint', () => {
  it('has the line, a caret under the place, and what to do', () => {
    const complaint = { message: 'repl:1:4: unbound variable fs-edti', excerpt: '(+ fs-edti 1)\n   ^', help: 'did you mean fs-edit', kind: 'failed' as const }
    expect(complaintText(complaint, NO_COLORS)).toBe('repl:1:4: unbound variable fs-edti\n  (+ fs-edti 1)\n     ^\nhelp: did you mean fs-edit\n')
  })
})

describe('the status line', () => {
  it('sums what was used', () => {
    const figures = new Figures()
    figures.add(event({ type: 'llm.req', req: 'r', model: 'm', messages: 2, tools_sha256: '', prefix_sha256: '' }))
    figures.add(event(reply('x')))
    expect(figures.line('ollama:q', 32_000)).toBe('ollama:q · context 1.2k of 32.0k · 1.2k tokens in (50% cached), 30 out · 1 request')
  })
})
