// What a program run by itself can do with files: its own folders, ordinary names, and no more.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEngine, SchemeError } from '../src/engine/index.ts'
import { print } from '../src/engine/printer.ts'
import { programFiles } from '../src/session/program-file.ts'

let folder: string
const before = process.env['TMPDIR']
beforeEach(() => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'program-')))
  folder = join(base, 'program')
  mkdirSync(folder)
  mkdirSync(join(base, 'temporary'))
  process.env['TMPDIR'] = join(base, 'temporary')
})
afterEach(() => {
  if (before === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = before
})

async function run(text: string): Promise<string> {
  let output = ''
  const engine = createEngine({ ...programFiles(folder), onOutput: (part) => (output += part) })
  try {
    const value = await engine.evaluate(text.replaceAll('DIR', folder), { file: 'main.scm' })
    return `${output}${print(value)}`
  } catch (error) {
    if (!(error instanceof SchemeError)) throw error
    return `${error.kind}: ${error.message.replaceAll(folder, 'DIR')}`
  }
}

test('what is written to a file is read from it', async () => {
  expect(await run('(call-with-output-file "DIR/a.txt" (lambda (port) (write (quote (1 "é" #\\a)) port)))')).toBe('#<unspecified>')
  expect(await run('(call-with-input-file "DIR/a.txt" read)')).toBe('(1 "é" #\\a)')
  expect(await run('(with-input-from-file "DIR/a.txt" (lambda () (read-char)))')).toBe('#\\(')
  expect(await run('(file-exists? "DIR/a.txt")')).toBe('#t')
  expect(await run('(delete-file "DIR/a.txt") (file-exists? "DIR/a.txt")')).toBe('#f')
})

test('bytes go both ways', async () => {
  await run('(define p (open-binary-output-file "DIR/b")) (write-bytevector #u8(0 200 255) p) (close-port p)')
  expect([...readFileSync(join(folder, 'b'))]).toEqual([0, 200, 255])
  expect(await run('(read-bytevector 9 (open-binary-input-file "DIR/b"))')).toBe('#u8(0 200 255)')
})

test('a port that is left open is written out at the end', async () => {
  await run('(define p (open-output-file "DIR/open.txt")) (write-string "kept" p)')
  expect(readFileSync(join(folder, 'open.txt'), 'utf8')).toBe('kept')
})

test('load evaluates a file, and the handlers of its caller hold in it', async () => {
  writeFileSync(join(folder, 'more.scm'), '(define loaded 7)\n(raise-continuable 1)\n(define after (* loaded 2))')
  expect(await run('(with-exception-handler (lambda (c) 2) (lambda () (load "DIR/more.scm"))) (list loaded after)')).toBe('(7 14)')
})

test('a library comes from a file beside the program, and includes others', async () => {
  mkdirSync(join(folder, 'my'))
  writeFileSync(join(folder, 'my', 'maths.sld'), '(define-library (my maths) (export twice) (import (scheme base)) (include "twice.scm"))')
  writeFileSync(join(folder, 'my', 'twice.scm'), '(define (twice x) (* 2 x))')
  expect(await run('(import (my maths)) (twice 21)')).toBe('42')
  expect(await run('(import (my nothing))')).toBe('syntax: import: unknown library (my nothing)')
})

test('an error in an included file is said to be there', async () => {
  writeFileSync(join(folder, 'bad.scm'), '(define x 1)\n\n(car x)')
  const engine = createEngine(programFiles(folder))
  const error = await engine.evaluate('(include "bad.scm")', { file: 'main.scm' }).catch((raised: unknown) => raised as SchemeError)
  expect((error as SchemeError).position).toEqual({ file: 'bad.scm', line: 3, column: 1 })
})

test('what lies outside, has a protected name or is no file is refused', async () => {
  expect(await run('(open-input-file "/etc/passwd")')).toMatch(/^file: open-input-file: "\/etc\/passwd": outside the folders of the program: /)
  symlinkSync('/etc', join(folder, 'link'))
  expect(await run('(open-output-file "DIR/link/x")')).toMatch(/^file: open-output-file: "DIR\/link\/x": outside the folders of the program: /)
  symlinkSync('/etc/passwd', join(folder, 'passwd'))
  expect(await run('(delete-file "DIR/passwd")')).toMatch(/outside the folders of the program/)
  expect(await run('(open-output-file "DIR/.git/hooks/pre-commit")')).toBe('file: open-output-file: "DIR/.git/hooks/pre-commit": a protected name')
  writeFileSync(join(folder, '.env'), 'KEY=1')
  expect(await run('(open-input-file "DIR/.env")')).toBe('file: open-input-file: "DIR/.env": a protected name')
  expect(await run('(open-input-file "DIR")')).toBe('file: open-input-file: "DIR": not a regular file')
  expect(await run('(open-input-file "DIR/none")')).toBe('file: open-input-file: "DIR/none": no such file or folder')
})
