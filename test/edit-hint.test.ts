// The words of a failed edit, whole: what they show of the nearest place and of what differs there.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Edit } from '../src/tool/apply-edit.ts'
import { applyEdits } from '../src/tool/apply-edits.ts'
import { describeFailure } from '../src/tool/edit-hint.ts'

/** Of the first edit that fails. */
function words(text: string, ...edits: [old: string, replaced: string][]): string {
  const list: Edit[] = edits.map(([old, replaced]) => ({ old, new: replaced, replaceAll: false }))
  const [failed] = applyEdits(text, list).failures
  if (!failed) return 'no failure'
  return describeFailure(failed.failure, { path: 'f', text: failed.text, edit: list[failed.index]!, original: text, earlier: list.slice(0, failed.index) })
}

function twenty(start: string): string {
  return Array.from({ length: 20 }, (_, i) => `${start}${i}\n`).join('')
}

const TABLE: [name: string, text: string, old: string, replaced: string, want: string][] = [
  ['an empty old', 'one\n', '', 'x', 'old is empty; to create or replace a whole file use fs-write, to insert give the text next to the place in old and in new'],
  ['old and new alike', 'one\ntwo\n', 'two', 'two', 'old and new are identical, so nothing would change (old is at line 2 of f); give the changed text in new'],
  ['old and new alike, and nowhere', 'one\n', 'two', 'two', 'old and new are identical, so nothing would change; give the changed text in new'],
  ['two places', 'a\nb\na\n', 'a', 'x', 'old occurs 2 times in f (lines 1, 3), so it is not unique; give more of the text around the place, or set replace_all to true'],
  ['many places on one line', 'aaaa\n', 'a', 'x', 'old occurs 4 times in f (all on line 1), so it is not unique; give more of the text around the place, or set replace_all to true'],
  ['very many places', 'a\n'.repeat(30), 'a', 'x', 'old occurs 30 times in f (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …), so it is not unique; give more of the text around the place, or set replace_all to true'],
  ['an empty file', '', 'a', 'x', 'old not found in f: the file is empty; to give it content use fs-write'],
  ['a final newline that the file lacks', 'one\ntwo', 'two\n', 'x\n', 'old not found in f: the file ends without a newline, and old ends with one; drop the final newline from old (line 2)'],
  ['tabs for spaces', 'if (x) {\n\treturn 1\n}\n', 'if (x) {\n    return 1\n}', 'x', [
      'old not found in f: only whitespace differs at lines 1 to 3: the file has 1 tab before the text, old has 4 spaces',
      '    1 | if (x) {',
      '    2 | →\treturn 1',
      '    3 | }',
    ].join('\n')],
  ['a run of spaces', 'a  =  1\n', 'a = 1', 'x', [
      'old not found in f: only whitespace differs at line 1: the file has 2 spaces between the words, old has 1 space',
      '    1 | a  =  1',
    ].join('\n')],
  ['trailing spaces', 'one  \ntwo\n', 'one\ntwo', 'x', [
      'old not found in f: only whitespace differs at lines 1 to 2: the file has 2 spaces at the end of the line, old has nothing',
      '    1 | one··',
      '    2 | two',
    ].join('\n')],
  ['a trailing tab in old', 'one\ntwo\n', 'one\t\ntwo', 'x', [
      'old not found in f: only whitespace differs at lines 1 to 2: the file has nothing at the end of the line, old has 1 tab',
      '    1 | one',
      '    2 | two',
    ].join('\n')],
  ['indentation of a later line', 'f(\n  a,\n  b)\n', 'f(\n    a,\n    b)', 'x', [
      'old not found in f: only whitespace differs at lines 1 to 3: the file has 2 spaces before the text, old has 4 spaces',
      '    1 | f(',
      '    2 |   a,',
      '    3 |   b)',
    ].join('\n')],
  ['blank lines', 'one\n\n\ntwo\n', 'one\n\ntwo', 'x', [
      'old not found in f: only whitespace differs at lines 1 to 4: the file has 2 blank lines there, old has 1',
      '    1 | one',
      '    2 |',
      '    3 |',
      '    4 | two',
    ].join('\n')],
  ['a bare carriage return', 'one\rtwo\n', 'one\ntwo', 'x', [
      'old not found in f: only whitespace differs at line 1: the file has a carriage return alone there, which is no line break',
      '    1 | one⟨U+000D⟩two',
    ].join('\n')],
  ['upper and lower case', 'const Value = 1\n', 'const value = 1', 'x', [
      'old not found in f: it differs only in upper and lower case at line 1',
      '    1 | const Value = 1',
    ].join('\n')],
  ['a no-break space', 'a\u00a0= 1\n', 'a = 1', 'x', [
      'old not found in f: look-alike characters differ at line 1: the file has U+00A0 NO-BREAK SPACE',
      '    1 | a⟨U+00A0⟩= 1',
    ].join('\n')],
  ['curly quotes in old', 'say(\'hi\')\n', 'say(\u2018hi\u2019)', 'x', [
      'old not found in f: look-alike characters differ at line 1: old has U+2018 LEFT SINGLE QUOTATION MARK, U+2019 RIGHT SINGLE QUOTATION MARK',
      '    1 | say(\'hi\')',
    ].join('\n')],
  ['a dash', 'a \u2014 b\n', 'a - b', 'x', [
      'old not found in f: look-alike characters differ at line 1: the file has U+2014 EM DASH',
      '    1 | a ⟨U+2014⟩ b',
    ].join('\n')],
  ['an ellipsis', 'wait…\n', 'wait...', 'x', [
      'old not found in f: look-alike characters differ at line 1: the file has U+2026 HORIZONTAL ELLIPSIS',
      '    1 | wait⟨U+2026⟩',
    ].join('\n')],
  ['a Cyrillic letter', 'v\u0430lue = 1\n', 'value = 1', 'x', [
      'old not found in f: look-alike characters differ at line 1: the file has U+0430 CYRILLIC SMALL LETTER A',
      '    1 | v⟨U+0430⟩lue = 1',
    ].join('\n')],
  ['a zero-width space', 'foo\u200bbar()\n', 'foobar()', 'x', [
      'old not found in f: look-alike characters differ at line 1: the file has U+200B ZERO WIDTH SPACE',
      '    1 | foo⟨U+200B⟩bar()',
    ].join('\n')],
  ['combining accents in the file', 'cafe\u0301\n', 'caf\u00e9', 'x', [
      'old not found in f: look-alike characters differ at line 1: the file has letters with combining accents (NFD), old has single letters (NFC)',
      '    1 | cafe\u0301',
    ].join('\n')],
  ['combining accents in old', 'caf\u00e9\n', 'cafe\u0301', 'x', [
      'old not found in f: look-alike characters differ at line 1: old has letters with combining accents (NFD), the file has single letters (NFC)',
      '    1 | caf\u00e9',
    ].join('\n')],
  ['a full-width letter', '\uff21 = 1\n', 'A = 1', 'x', [
      'old not found in f: look-alike characters differ at line 1: the file has U+FF21',
      '    1 | \uff21 = 1',
    ].join('\n')],
  ['line numbers of a listing', 'one\ntwo\nthree\n', '     2\ttwo\n     3\tthree', 'x', 'old not found in f: old has line numbers copied from a listing; without them it is at line 2'],
  ['line numbers with a bar', 'one\ntwo\n', '2 | two', 'x', 'old not found in f: old has line numbers copied from a listing; without them it is at line 2'],
  ['a spelled out newline', 'one\ntwo\n', 'one\\ntwo', 'x', 'old not found in f: old has a backslash sequence spelled out where the file has the character itself, at line 1; give the line break, tab or quote itself'],
  ['a spelled out quote', 'say("hi")\n', 'say(\\"hi\\")', 'x', 'old not found in f: old has a backslash sequence spelled out where the file has the character itself, at line 1; give the line break, tab or quote itself'],
  ['an edit already made', 'const a = 2\n', 'const a = 1', 'const a = 2', 'old not found in f: new is there instead, at line 1: the edit looks already applied'],
  ['a place nearby', 'function add(a, b) {\n  return a + b\n}\n', 'function add(a, b) {\n  return a - b\n}', 'x', [
      'old not found in f: the nearest place is lines 1 to 3',
      '    1 | function add(a, b) {',
      '    2 |   return a + b',
      '    3 | }',
      'old has in line 2:   return a - b',
    ].join('\n')],
  ['a line with most words', 'let total = compute(price, tax)\nlet other = 1\n', 'let total = compute(price)', 'x', [
      'old not found in f: the nearest place is line 1',
      '    1 | let total = compute(price, tax)',
      'old has in line 1: let total = compute(price)',
    ].join('\n')],
  ['nothing alike', 'one\ntwo\n', 'zzz', 'x', 'old not found in f: no line of the file is like it; read the file again'],
  ['a long line', `${'x'.repeat(300)} = needle\n`, 'needle = haystack', 'x', [
      'old not found in f: the nearest place is line 1',
      `    1 | …${'x'.repeat(151)} = needle`,
      'old has in line 1: needle = haystack',
    ].join('\n')],
  ['a long place', twenty('line '), twenty('line  ').trimEnd(), 'x', [
      'old not found in f: only whitespace differs at lines 1 to 20: the file has 1 space between the words, old has 2 spaces',
      '    1 | line 0',
      '    2 | line 1',
      '    3 | line 2',
      '    4 | line 3',
      '    5 | line 4',
      '    6 | line 5',
      '    7 | line 6',
      '    8 | line 7',
      '      … 12 more lines',
    ].join('\n')],
]

describe('the hint for', () => {
  for (const [name, text, old, replaced, want] of TABLE) it(name, () => expect(words(text, [old, replaced])).toBe(want))

  it('a text that an earlier edit of the call took away', () => {
    expect(words('one\ntwo\n', ['one', '1'], ['one\ntwo', 'x'])).toBe(
      'old not found in f: it was there at line 1 before this call, but an earlier edit of this call changed that text; give old as the earlier edit leaves it, or make one edit of both',
    )
  })

  it('the same place in a text too large to look at as a whole', () => {
    const before = Array.from({ length: 20_000 }, (_, i) => `const item${i} = make(${i})\n`).join('')
    for (const [old, want] of [
      ['if (ready) {\n    start(\u2018now\u2019)\n}', 'look-alike characters differ at lines 20001 to 20003: old has U+2018 LEFT SINGLE QUOTATION MARK, U+2019 RIGHT SINGLE QUOTATION MARK'],
      ["if (ready) {\n  start('now')\n}", 'only whitespace differs at lines 20001 to 20003: the file has 1 tab before the text, old has 2 spaces'],
      ["if (Ready) {\n\tstart('now')\n}", 'it differs only in upper and lower case at lines 20001 to 20003'],
      ["if (ready) {\n\tstart('later')\n}", 'the nearest place is lines 20001 to 20003'],
    ] as const)
      expect(words(`${before}if (ready) {\n\tstart('now')\n}\n${before}`, [old, 'x']).split('\n')[0]).toBe(`old not found in f: ${want}`)
  })
})

describe('any hint', () => {
  const part = fc.constantFrom('a', 'A', 'foo', ' ', '  ', '\t', '\n', '\r\n', '\r', '\u00a0', '\u2019', "'", 'e\u0301', '\u00e9', '\ud83d\ude00', '\u001b[2J', '\u202e', '12: ', '\\n')
  const text = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''))

  it('is short, the same each time, and holds no control character of the file', () => {
    fc.assert(
      fc.property(text, text, text, fc.integer({ min: 1, max: 400 }), (before, old, replaced, times) => {
        const all = before.repeat(times)
        const said = words(all, [old, replaced])
        expect(said.length).toBeLessThan(2000)
        expect(said).not.toMatch(/[^\P{Cc}\n\t]/u)
        expect(words(all, [old, replaced])).toBe(said)
      }),
      { numRuns: 500 },
    )
  })
})
