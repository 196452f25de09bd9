// What a program may ask of the machine, and how it is told that it asked too much.

import { expect, test } from 'vitest'
import { createEngine, SchemeError } from '../src/engine/index.ts'
import { print } from '../src/engine/printer.ts'

async function value(program: string): Promise<string> {
  return print(await createEngine().evaluate(program))
}

async function complaint(program: string): Promise<string> {
  try {
    await createEngine().evaluate(program)
  } catch (error) {
    if (error instanceof SchemeError) return error.message
    throw error
  }
  return 'no error'
}

test('recursion a million deep', async () => {
  expect(await value('(define (f n) (if (= n 0) 0 (+ 1 (f (- n 1))))) (f 1000000)')).toBe('1000000')
  expect(await value("(length (map (lambda (x) x) (iota 1000000)))")).toBe('1000000')
})

test('ten million tail calls through two procedures', async () => {
  expect(await value('(define (a n) (if (= n 0) #t (b (- n 1)))) (define (b n) (if (= n 0) #f (a (- n 1)))) (a 10000000)')).toBe('#t')
})

test('procedures with large frames recurse as deep', async () => {
  const lets = Array.from({ length: 150 }, (_, i) => `(x${i} (g ${i}))`).join(' ')
  const sum = Array.from({ length: 150 }, (_, i) => `x${i}`).join(' ')
  expect(await value(`(define (g a) a) (define (f n) (if (= n 0) 0 (let* (${lets}) (+ (f (- n 1)) (- (+ ${sum}) 11174))))) (f 5000)`)).toBe('5000')
})

for (const program of ['(let loop () (loop))', '(define (f) (f)) (f)', '(define (f n) (+ 1 (f n))) (f 0)', '(define (f n) (f n) (f n)) (f 0)']) {
  test(`${program} is stopped by an abort`, async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('stop')), 30)
    await expect(createEngine().evaluate(program, { signal: controller.signal })).rejects.toThrow('stop')
  })
}

test('two fibers, one endless: the other still makes progress', async () => {
  const program = `(define stop #f)
    (define endless (spawn (lambda () (let loop () (if (not stop) (loop))))))
    (define (wait n) (if (> n 0) (begin (yield) (wait (- n 1)))))
    (wait 5) (set! stop #t) (join endless) 'both`
  expect(await value(program)).toBe('both')
})

test('what is too deep or too large for the machine is said in words', async () => {
  const deep = `${'(list '.repeat(50_000)}1${')'.repeat(50_000)}`
  expect(await complaint(deep)).toBe('the form is nested too deeply, or a call has too many arguments, to be compiled')
  expect(await complaint(`(define y 1) (list${' y'.repeat(70_000)})`)).toBe('the form is nested too deeply, or a call has too many arguments, to be compiled')
  expect(await complaint('(expt 10 100000000000)')).toBe('expt: the result has more than 10000000 bits')
  expect(await complaint('(make-vector 1000000000 0)')).toBe('make-vector: expected a length of at most 33000000, got 1000000000')
  expect(await complaint("(apply (lambda args args) (iota 100000))")).toBe('apply: expected at most 20000 arguments, got 100000')
})

test('data nested 100,000 deep is read and printed', async () => {
  const text = `${'('.repeat(100_000)}${')'.repeat(100_000)}`
  expect(await value(`'${text}`)).toBe(text)
})

test('a bug of a host procedure is no condition of the program', async () => {
  const engine = createEngine()
  engine.define('boom', { params: '', run: async () => Promise.reject(new TypeError('a bug')) })
  await expect(engine.evaluate("(guard (e (#t 'caught)) (boom))")).rejects.toThrow('a bug')
})

test('a host procedure waits like any call, and its errors are conditions with a place', async () => {
  const engine = createEngine()
  engine.define('later', { params: 'x', run: async ([x]) => x! })
  engine.define('fail', { params: '', run: async () => Promise.reject(new SchemeError('fail: no')) })
  expect(print(await engine.evaluate('(map later (list 1 2 (later 3)))'))).toBe('(1 2 3)')
  expect(print(await engine.evaluate('(guard (e (#t (error-object-message e))) (fail))'))).toBe('"fail: no"')
  await expect(engine.evaluate('\n (+ 1 (fail))')).rejects.toMatchObject({ position: { line: 2, column: 7 } })
  await expect(engine.evaluate('(fail)')).rejects.toMatchObject({ position: { line: 1, column: 1 } })
})

test('a program that fills the memory is stopped, whatever it fills it with', async () => {
  const { usedMemory } = await import('../src/engine/memory.ts')
  for (const program of [
    "(let loop ((l '())) (loop (cons 1 l)))",
    '(define (f) (cons 1 (f))) (f)',
    '(let loop ((t (make-equal-hash-table)) (i 0)) (hash-table-set! t i (make-vector 1000 i)) (loop t (+ i 1)))',
  ]) {
    const engine = createEngine({ memory: usedMemory() + 200e6 })
    await expect(engine.evaluate(program), program).rejects.toThrow(/^out of memory: the program holds more than \d+ MB$/)
    expect(await engine.evaluate('(+ 1 1)')).toBe(2)
  }
}, 60_000)

test('fibers that make fibers come to an end', async () => {
  expect(await complaint('(define (f) (parallel (lambda () (f)) (lambda () (f)))) (f)')).toBe('spawn: more than 10000 fibers are under way')
})

test('a program that takes too long is stopped', async () => {
  const engine = createEngine()
  await expect(engine.evaluate('(let loop () (loop))', { timeLimit: 20 })).rejects.toThrow('out of time: the program took more than 20 ms')
  await expect(engine.evaluate('(guard (e (#t (let loop () (loop)))) (let loop () (loop)))', { timeLimit: 20 })).rejects.toThrow('out of time: the program took more than 20 ms')
  expect(await engine.evaluate('(+ 1 1)', { timeLimit: 1000 })).toBe(2)
})

test('numbers beyond what can be computed with are refused', async () => {
  expect(await complaint('(let loop ((n 3)) (loop (* n n)))')).toBe('an integer is larger than can be computed with')
  expect(await complaint('(let loop ((n 3/7)) (loop (+ (* n n) 1/3)))')).toBe('a part of a rational is larger than can be computed with')
  expect(await complaint('(let loop ((s "ab")) (loop (string-append s s)))')).toBe('too large: a value exceeds what can be represented')
  expect(await complaint('(let loop ((v (vector 1))) (loop (vector-append v v)))')).toBe('vector-append: expected a length of at most 33000000, got 33554432')
})

for (const [parts, options] of [[3000, {}], [150, { depthLimit: 5, fuel: 7 }]] as const)
  test(`forms with ${parts} parts, as programs that write programs make them`, async () => {
    const many = (part: (i: number) => string): string => Array.from({ length: parts }, (_, i) => part(i)).join(' ')
    const last = String(parts - 1)
    const forms: [string, string][] = [
      [`(and ${many((i) => `(f ${i + 1})`)})`, String(parts)],
      [`(or ${many(() => '(f #f)')} 7)`, '7'],
      [`(cond ${many((i) => `((= x ${i}) (f ${i}))`)} (else 'none))`, last],
      [`(case x ${many((i) => `((${i}) ${i})`)} (else 'none))`, last],
      [`(+ 1 (cond ${many((i) => `((= x ${i}) (f ${i}))`)} (else 'none)))`, String(parts)],
      [`(if (and ${many((i) => `(f ${i + 1})`)}) 'yes 'no)`, 'yes'],
      [`(let* (${many((i) => `(x${i} ${i === 0 ? '(f 0)' : `(+ 1 x${i - 1})`})`)}) x${last})`, last],
      [`(let () ${many((i) => `(define d${i} (f ${i}))`)} d${last})`, last],
      [`(begin ${many((i) => `(set! y (f ${i}))`)} y)`, last],
      [`(length \`(,x ${many(() => ',(f x)')} ,@(list 1 2) . ,(list 3)))`, String(parts + 4)],
      [`(+ ${many(() => 'x')})`, String(parts * (parts - 1))],
    ]
    const engine = createEngine(options)
    await engine.evaluate(`(define (f x) x) (define x ${last}) (define y 0)`)
    for (const [form, wanted] of forms) expect(print(await engine.evaluate(form)), form.slice(0, 40)).toBe(wanted)
  }, 30_000)
