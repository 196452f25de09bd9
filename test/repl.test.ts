// The Scheme prompt as a person types at it.

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from './help.ts'
import { typeAt } from './terminal.ts'

const type = (steps: [waitFor: string | RegExp, keys: string][], cwd?: string, state?: string): Promise<string[]> => typeAt('repl', steps, cwd, state)

const PROMPT = 'scheme> '
const LEAVE: [string, string] = [PROMPT, ',quit\r']

test('results of several forms, and a form over several lines', async () => {
  const lines = await type([[PROMPT, '(define x 5) x (* x 2) "a\\nb"\r'], ['"a\\nb"', ''], [PROMPT, '(list 1\r'], ['.. ', '  (+ 1 1))\r'], ['(1 2)', ''], LEAVE])
  expect(lines.filter((line) => /^(5|10|"a|\(1 2\))/.test(line))).toEqual(['5', '10', '"a\\nb"', '(1 2)'])
})

test('a pasted block', async () => {
  const lines = await type([[PROMPT, '(define (f x)\r  (* x 2))\r(f 4)\r"one\r\rtwo"\r'], ['"one\\n\\ntwo"', ''], LEAVE])
  expect(lines.filter((line) => /^(8|"one)/.test(line))).toEqual(['8', '"one\\n\\ntwo"'])
})

test('an endless loop is stopped by Ctrl-C, and the prompt goes on', async () => {
  const lines = await type([[PROMPT, '(begin (display "begun") (let loop () (loop)))\r'], [/\nbegun/, '\u0003'], ['stopped by the person', ''], [PROMPT, '(+ 1 2)\r'], [/\n3/, ''], LEAVE])
  expect(lines).toContain('3')
})

test('commands', async () => {
  const cwd = makeFolder({ 'lib.scm': '(define (square-all l) (map (lambda (x) (* x x)) l))\n' })
  const shown = (await type(
    [
      [PROMPT, ',load lib.scm\r'],
      ['loaded lib.scm', ''],
      [PROMPT, "(square-all '(1 2))\r"],
      ['(1 4)', ''],
      [PROMPT, ',env\r'],
      ['#<procedure square-all>', ''],
      [PROMPT, '(define (fact n) (if (= n 0) 1 (* n (fact (- n 1)))))\r'],
      [PROMPT, ',trace fact\r'],
      ['ends it', ''],
      [PROMPT, '(fact 2)\r'],
      [/\n-> 2/, ''],
      [PROMPT, ',untrace fact\r'],
      [PROMPT, '(fact 3)\r'],
      [/\n6/, ''],
      [PROMPT, ',expand (cond-expand (r7rs (display 1)))\r'],
      ['(begin (display 1))', ''],
      [PROMPT, ',apropos list->vec\r'],
      ['(list->vector list)', ''],
      [PROMPT, ',doc list->vector\r'],
      ['The elements of a list as a vector.', ''],
      [PROMPT, ',time (fact 5)\r'],
      [/\n120/, ''],
      [/\n\d+\.\d ms/, ''],
      [PROMPT, ',lod\r'],
      ['unknown command ,lod: did you mean ,load', ''],
      [PROMPT, '(vector-for-e\t'],
      ['(vector-for-each', ' display #("done"))\r'],
      [/\ndone/, ''],
      [PROMPT, ',unt\t'],
      [',untrace', ' fact\r'],
      [PROMPT, '(call-with-input-file "li\t'],
      ['"lib.scm', '\u0003'],
      [PROMPT, ',help\r'],
      ['leaves', ''],
      LEAVE,
    ],
    cwd,
  )).join('\n')
  expect(shown).toContain('(fact 2)\n| (fact 1)\n| | (fact 0)\n| | -> 1\n| -> 1\n-> 2\n2\n')
})

test('an error shows its line, and history survives without what others could read', async () => {
  const state = makeFolder()
  const lines = await type([[PROMPT, '(define (f x)\r'], ['.. ', '  (car x))\r'], [PROMPT, '(+ 1 (f 5))\r'], ['car: expected', ''], LEAVE], makeFolder(), state)
  const at = lines.findIndex((line) => line.startsWith('repl:2:3:'))
  expect(lines.slice(at, at + 5)).toEqual(['repl:2:3: car: expected a pair, got 5', '    (car x))', '    ^', '  in f at repl:2:3', '  at repl:1:6'])
  const history = join(state, 'nodwyn', 'history')
  expect(readFileSync(history, 'utf8')).toContain('(+ 1 (f 5))')
  expect(statSync(history).mode & 0o777).toBe(0o600)
  const again = await type([[PROMPT, '\u001b[A\u001b[A\r'], ['unbound variable f', ''], LEAVE], makeFolder(), state)
  expect(again.join('\n')).toContain('scheme> (+ 1 (f 5))')
})
