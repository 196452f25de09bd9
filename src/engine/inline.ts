// Builtins as the compiler sees them: which ones become a JavaScript expression with a fast path, and
// how the others are called directly. Every fast path leaves what it does not know (bignums, wrong
// types, labelled values) to the builtin itself, its slow path.
//
// The generated text may use: R (the machine), L (labelling), Pair, NIL, S (Number.isSafeInteger), and
// T, a variable for an intermediate result; DEFAULT and UNSPECIFIED.

import type { Prim } from './core.ts'
import type { Value } from './value.ts'

/** An argument that may be written down twice: a variable, a literal or a constant. */
export interface Atom {
  js: string
  /** Its value, where it is a constant. */
  constant?: Value
}

/** What an emitter may ask of the code generator: the name of a builtin's direct function. */
export type Direct = (name: string) => string

type Emit = (args: Atom[], direct: Direct) => string

interface Fast {
  arity: number
  value: Emit
  /** A JavaScript boolean; without it a test compares the value with #f. */
  test?: Emit
}

export class Inline {
  readonly name: string
  private readonly least: number
  private readonly most: number
  private readonly fast: Fast | undefined
  private readonly folds: boolean

  constructor(name: string, least: number, most: number) {
    this.name = name
    this.least = least
    this.most = most
    this.fast = FAST.get(name)
    this.folds = FOLDED.has(name)
  }

  accepts(count: number): boolean {
    return count >= this.least && count <= this.most
  }

  /** `(+ a b c)` as `(+ (+ a b) c)`; other calls as they are. */
  fold(call: Prim): Prim {
    const [first, second, ...rest] = call.args
    if (!this.folds || rest.length === 0) return call
    return rest.reduce<Prim>((sum, arg) => ({ ...call, args: [sum, arg] }), { ...call, args: [first!, second!] })
  }

  private usesFast(args: Atom[]): Fast | null {
    return this.fast && this.fast.arity === args.length ? this.fast : null
  }

  value(args: Atom[], direct: Direct): string {
    const fast = this.usesFast(args)
    if (fast) return fast.value(args, direct)
    const given = args.map((arg) => arg.js)
    if (this.most !== Infinity) while (given.length < this.most) given.push('DEFAULT')
    return `${direct(this.name)}(${given.join(',')})`
  }

  /** Null where a test has to compare the value. */
  test(args: Atom[], direct: Direct): string | null {
    return this.usesFast(args)?.test?.(args, direct) ?? null
  }
}

const FOLDED = new Set(['+', '*', '-'])

const isNumber = (atom: Atom): string => (typeof atom.constant === 'number' ? '' : `typeof ${atom.js}==='number'`)
const bothNumbers = (a: Atom, b: Atom): string => [isNumber(a), isNumber(b)].filter(Boolean).join('&&') || 'true'

/** Arithmetic on safe integers; anything that leaves them goes to the slow path. */
function arithmetic(name: string, compute: (a: string, b: string) => string): Fast {
  return {
    arity: 2,
    value: ([a, b], direct) =>
      `(${bothNumbers(a!, b!)}&&S(T=${compute(a!.js, b!.js)})?T:${direct(name)}(${a!.js},${b!.js}))`,
  }
}

/** Division of safe integers by one that is not zero. */
function division(name: string, compute: (a: string, b: string) => string): Fast {
  return {
    arity: 2,
    value: ([a, b], direct) =>
      `(${bothNumbers(a!, b!)}&&${b!.js}!==0?${compute(a!.js, b!.js)}:${direct(name)}(${a!.js},${b!.js}))`,
  }
}

function comparison(name: string, operator: string): Fast {
  const emit =
    (slow: (call: string) => string): Emit =>
    ([a, b], direct) =>
      `(${bothNumbers(a!, b!)}?${a!.js}${operator}${b!.js}:${slow(`${direct(name)}(${a!.js},${b!.js})`)})`
  return { arity: 2, value: emit((call) => call), test: emit((call) => `R.isTrue(${call})`) }
}

/** A predicate whose slow path matters for labelled values alone. */
function predicate(name: string, holds: (args: string[]) => string): Fast {
  const call = (args: Atom[], direct: Direct) => `${direct(name)}(${args.map((arg) => arg.js).join(',')})`
  return {
    arity: name === 'eq?' ? 2 : 1,
    value: (args, direct) => `(${holds(args.map((arg) => arg.js))}||L.on&&${call(args, direct)})`,
    test: (args, direct) => `(${holds(args.map((arg) => arg.js))}||L.on&&R.isTrue(${call(args, direct)}))`,
  }
}

function field(name: string, path: string[]): Fast {
  return {
    arity: 1,
    value: ([a], direct) => {
      const checks: string[] = []
      let js = a!.js
      for (const part of path) {
        checks.push(`${js} instanceof Pair`)
        js = `${js}.${part}`
      }
      return `(${checks.join('&&')}?${js}:${direct(name)}(${a!.js}))`
    },
  }
}

const index = (vector: Atom, i: Atom): string =>
  `Array.isArray(${vector.js})&&${isNumber(i) || 'true'}&&${i.js}>=0&&${i.js}<${vector.js}.length`

const FAST = new Map<string, Fast>([
  ['+', arithmetic('+', (a, b) => `${a}+${b}`)],
  ['-', arithmetic('-', (a, b) => `${a}-${b}`)],
  // `+0` turns the -0 of 0 times a negative number into 0.
  ['*', arithmetic('*', (a, b) => `${a}*${b}+0`)],
  ['quotient', division('quotient', (a, b) => `(${a}-${a}%${b})/${b}+0`)],
  ['remainder', division('remainder', (a, b) => `${a}%${b}+0`)],
  ['modulo', division('modulo', (a, b) => `((T=${a}%${b})!==0&&T<0!==${b}<0?T+${b}:T+0)`)],
  ['=', comparison('=', '===')],
  ['<', comparison('<', '<')],
  ['>', comparison('>', '>')],
  ['<=', comparison('<=', '<=')],
  ['>=', comparison('>=', '>=')],
  ['eq?', predicate('eq?', ([a, b]) => `${a}===${b}`)],
  ['null?', predicate('null?', ([a]) => `${a}===NIL`)],
  ['pair?', predicate('pair?', ([a]) => `${a} instanceof Pair`)],
  ['not', predicate('not', ([a]) => `${a}===false`)],
  ['vector?', predicate('vector?', ([a]) => `Array.isArray(${a})`)],
  ['procedure?', predicate('procedure?', ([a]) => `typeof ${a}==='function'`)],
  ['cons', { arity: 2, value: ([a, b]) => `new Pair(${a!.js},${b!.js})` }],
  ['car', field('car', ['car'])],
  ['cdr', field('cdr', ['cdr'])],
  ['cadr', field('cadr', ['cdr', 'car'])],
  ['cddr', field('cddr', ['cdr', 'cdr'])],
  ['caar', field('caar', ['car', 'car'])],
  ['cdar', field('cdar', ['car', 'cdr'])],
  ['caddr', field('caddr', ['cdr', 'cdr', 'car'])],
  ['cdddr', field('cdddr', ['cdr', 'cdr', 'cdr'])],
  ['vector-ref', { arity: 2, value: ([v, i], direct) => `(${index(v!, i!)}?${v!.js}[${i!.js}]:${direct('vector-ref')}(${v!.js},${i!.js}))` }],
  [
    'vector-set!',
    {
      arity: 3,
      value: ([v, i, x], direct) =>
        `(${index(v!, i!)}?(${v!.js}[${i!.js}]=${x!.js},UNSPECIFIED):${direct('vector-set!')}(${v!.js},${i!.js},${x!.js}))`,
    },
  ],
  [
    'zero?',
    {
      arity: 1,
      value: ([a], direct) => `(typeof ${a!.js}==='number'?${a!.js}===0:${direct('zero?')}(${a!.js}))`,
      test: ([a], direct) => `(typeof ${a!.js}==='number'?${a!.js}===0:R.isTrue(${direct('zero?')}(${a!.js})))`,
    },
  ],
])
