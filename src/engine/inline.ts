// Builtins as the compiler sees them: which ones become a JavaScript expression with a fast path, and
// how the others are called directly. Every fast path leaves what it does not know (bignums, wrong
// types, labelled values) to the builtin itself, its slow path.
//
// The generated text may use: R (the machine), L (labelling), Pair, NIL, Char, F (the class Flonum), S
// (Number.isSafeInteger), and T, a variable for an intermediate result; DEFAULT and UNSPECIFIED.

import type { Way } from './codegen.ts'
import type { Prim } from './core.ts'
import type { Value } from './value.ts'

/** An argument that may be written down twice: a variable, a literal or a constant. */
export interface Atom {
  js: string
  /** Its value, where it is a constant. */
  constant?: Value
  /** The bare number, where it is sure to be an inexact real; `js` then makes a Flonum of it. */
  float?: string | null
}

/** What an emitter may ask of the code generator: the name of a builtin's direct function. */
export type Direct = (name: string, way?: Way) => string

/** An argument of arithmetic on bare numbers: the number where it is sure to be inexact, or is an exact
 * literal, and the value that is asked for it otherwise. */
interface FloatArgument {
  float: string | null
  literal: string | null
  value(): string
}

/** A double as JavaScript writes it. */
export function floatLiteral(value: number): string {
  return Object.is(value, -0) ? '(-0)' : `(${value})`
}

type Emit = (args: Atom[], direct: Direct) => string

interface Fast {
  /** The number of arguments; -n: up to n. */
  arity: number
  value: Emit
  /** A JavaScript boolean; without it a test compares the value with #f. */
  test?: Emit
}

/** The procedure for just the usual call of one that takes more; `again`: the argument that is given to
 * it a second time, at the end. */
export interface Usual {
  name: string
  count: number
  again?: number
}

/** Procedures of the prelude that take more lists than most calls give them. */
const USUAL: Record<string, Usual> = {
  map: { name: '%map', count: 2, again: 1 },
  'for-each': { name: '%for-each', count: 2 },
  'vector-map': { name: '%vector-map', count: 2 },
  'vector-for-each': { name: '%vector-for-each', count: 2 },
  'string-for-each': { name: '%string-for-each', count: 2 },
  fold: { name: '%fold', count: 3 },
  'fold-left': { name: '%fold-left', count: 3 },
  'fold-right': { name: '%fold-right', count: 3 },
  any: { name: '%any', count: 2 },
  every: { name: '%every', count: 2 },
  assoc: { name: '%assoc', count: 2 },
  member: { name: '%member', count: 2 },
}
/** Whether calls of a builtin become JavaScript operations, mostly. */
export function isInlined(name: string): boolean {
  return FAST.has(name)
}

export const USUAL_NAMES = Object.keys(USUAL)

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

  /** The procedure that a call with so many arguments may call instead. */
  usualCall(count: number): Usual | null {
    const usual = Object.hasOwn(USUAL, this.name) ? USUAL[this.name] : undefined
    return usual?.count === count ? usual : null
  }

  /** `(+ a b c)` as `(+ (+ a b) c)`; other calls as they are. */
  fold(call: Prim): Prim {
    const [first, second, ...rest] = call.args
    if (!this.folds || rest.length === 0 || rest.length > MOST_FOLDED) return call
    return rest.reduce<Prim>((sum, arg) => ({ ...call, args: [sum, arg] }), { ...call, args: [first!, second!] })
  }

  /** Whether a call changes nothing, writes nothing and always gives the same. */
  get isPure(): boolean {
    return this.fast !== undefined && !this.name.endsWith('!')
  }

  /** The bare number that a call yields, where its arguments make sure that it yields an inexact real. */
  float(args: FloatArgument[]): string | null {
    const compute = FLOAT.get(this.name)
    if (!compute || (!args.some(({ float }) => float !== null) && !TO_FLOAT.has(this.name))) return null
    const ask = ASKED[this.name] ?? 'R.double'
    return compute(args.map(({ float, literal, value }) => float ?? literal ?? `${ask}(${value()})`))
  }

  /** Whether a call is an operation that takes no time to speak of. */
  get isQuick(): boolean {
    return this.fast !== undefined
  }

  private usesFast(args: Atom[]): Fast | null {
    return this.fast && (this.fast.arity === args.length || (this.fast.arity < 0 && args.length <= -this.fast.arity)) ? this.fast : null
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

/** Longer sums are left to the builtin: each fold nests in the one before. */
const MOST_FOLDED = 30
const FOLDED = new Set(['+', '*', '-'])

const isNumber = (atom: Atom): string => (typeof atom.constant === 'number' ? '' : `typeof ${atom.js}==='number'`)
const bothNumbers = (a: Atom, b: Atom): string => [isNumber(a), isNumber(b)].filter(Boolean).join('&&') || 'true'

/** What yields the double of any number, and complains of what is none in the name of its builtin. */
const ASKED: Record<string, string> = { '+': 'R.addend', '-': 'R.subtrahend', '*': 'R.factor', '/': 'R.divisor' }
const TO_FLOAT = new Set(['inexact', 'exact->inexact'])

const binary = (operator: string) => (args: string[]) => (args.length === 2 ? `(${args[0]}${operator}${args[1]})` : null)
const unary = (name: string) => (args: string[]) => (args.length === 1 ? `${name}(${args[0]})` : null)

/** Arithmetic on bare numbers; null for another number of arguments. */
const FLOAT = new Map<string, (args: string[]) => string | null>([
  ['+', binary('+')],
  ['-', (args) => (args.length === 1 ? `(-${args[0]})` : binary('-')(args))],
  ['*', binary('*')],
  ['/', binary('/')],
  ['abs', unary('Math.abs')],
  ['floor', unary('Math.floor')],
  ['ceiling', unary('Math.ceil')],
  ['truncate', unary('Math.trunc')],
  ['exp', unary('Math.exp')],
  ['exact->inexact', unary('')],
  ['inexact', unary('')],
])

/** One operand is sure to be inexact: the other one is asked, and if it is too, bare numbers do. */
function mixed([a, b]: Atom[], both: (a: string, b: string) => string, otherwise: string): string | null {
  if (a!.float && b!.float) return both(a!.float, b!.float)
  if (a!.float) return `(${b!.js} instanceof F?${both(a!.float, `${b!.js}.value`)}:${otherwise})`
  if (b!.float) return `(${a!.js} instanceof F?${both(`${a!.js}.value`, b!.float)}:${otherwise})`
  return null
}

/** Arithmetic on safe integers; anything that leaves them goes to the slow path. */
function arithmetic(name: string, compute: (a: string, b: string) => string): Fast {
  return {
    arity: 2,
    value: ([a, b], direct) => {
      const slow = `${direct(name, 'two')}(${a!.js},${b!.js})`
      return mixed([a!, b!], (x, y) => `new F(${x}${name}${y})`, slow) ?? `(${bothNumbers(a!, b!)}&&S(T=${compute(a!.js, b!.js)})?T:${slow})`
    },
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
    (way: Way): Emit =>
    ([a, b], direct) => {
      const call = `${direct(name, way)}(${a!.js},${b!.js})`
      return mixed([a!, b!], (x, y) => `(${x}${operator}${y})`, call) ?? `(${bothNumbers(a!, b!)}?${a!.js}${operator}${b!.js}:${call})`
    }
  return { arity: 2, value: emit('two'), test: emit('test two') }
}

/** A predicate whose slow path matters for labelled values alone. */
function predicate(name: string, holds: (args: string[]) => string): Fast {
  const call = (args: Atom[], direct: Direct, way: Way) => `${direct(name, way)}(${args.map((arg) => arg.js).join(',')})`
  return {
    arity: name === 'eq?' ? 2 : 1,
    value: (args, direct) => `(${holds(args.map((arg) => arg.js))}||L.on&&${call(args, direct, 'plain')})`,
    test: (args, direct) => `(${holds(args.map((arg) => arg.js))}||L.on&&${call(args, direct, 'test')})`,
  }
}

/** The part of a pair that a path leads to. Only pairs have such properties, and every value can be asked
 * for them: to V8 that is one comparison of the object's shape, while `instanceof` goes up its prototypes. */
function field(name: string, path: string[]): Fast {
  return {
    arity: 1,
    value: ([a], direct) => {
      const steps = path.map((part, i) => `(T=${i === 0 ? a!.js : 'T'}.${part})!==undefined`)
      return `(${steps.join('&&')}?T:${direct(name)}(${a!.js}))`
    },
  }
}

const index = (vector: Atom, i: Atom): string =>
  `Array.isArray(${vector.js})&&${isNumber(i) || 'true'}&&${i.js}>=0&&${i.js}<${vector.js}.length`

/** What a value of one class holds; else the slow path. */
function unwrapped(name: string, test: (a: string) => string, value: (a: string) => string): Fast {
  return { arity: 1, value: ([a], direct) => `(${test(a!.js)}?${value(a!.js)}:${direct(name)}(${a!.js}))` }
}

/** As `unwrapped`, of a test of a number. */
function numberTest(name: string, test: (a: string) => string): Fast {
  return {
    arity: 1,
    value: ([a], direct) => `(typeof ${a!.js}==='number'?${test(a!.js)}:${direct(name)}(${a!.js}))`,
    test: ([a], direct) => (a!.float ? `${test(a!.float)}` : `(typeof ${a!.js}==='number'?${test(a!.js)}:${direct(name, 'test')}(${a!.js}))`),
  }
}

function charComparison(name: string, operator: string): Fast {
  const emit =
    (way: Way): Emit =>
    ([a, b], direct) =>
      `(${a!.js} instanceof Char&&${b!.js} instanceof Char?${a!.js}.code${operator}${b!.js}.code:${direct(name, way)}(${a!.js},${b!.js}))`
  return { arity: 2, value: emit('plain'), test: emit('test') }
}

/** Changes a part of a pair. */
function setField(name: string, field: string): Fast {
  return { arity: 2, value: ([p, x], direct) => `(${p!.js}.car!==undefined?(${p!.js}.${field}=${x!.js},UNSPECIFIED):${direct(name)}(${p!.js},${x!.js}))` }
}

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
  ['pair?', predicate('pair?', ([a]) => `${a}.car!==undefined`)],
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
  ['vector-length', unwrapped('vector-length', (a) => `Array.isArray(${a})`, (a) => `${a}.length`)],
  ['zero?', numberTest('zero?', (a) => `${a}===0`)],
  ['positive?', numberTest('positive?', (a) => `${a}>0`)],
  ['negative?', numberTest('negative?', (a) => `${a}<0`)],
  ['even?', numberTest('even?', (a) => `${a}%2===0`)],
  ['odd?', numberTest('odd?', (a) => `${a}%2!==0`)],
  ['/', { arity: 2, value: ([a, b], direct) => mixed([a!, b!], (x, y) => `new F(${x}/${y})`, `${direct('/', 'two')}(${a!.js},${b!.js})`) ?? `${direct('/', 'two')}(${a!.js},${b!.js})` }],
  ['abs', unwrapped('abs', (a) => `typeof ${a}==='number'`, (a) => `Math.abs(${a})`)],
  ['char->integer', unwrapped('char->integer', (a) => `${a} instanceof Char`, (a) => `${a}.code`)],
  ['char=?', charComparison('char=?', '===')],
  ['char<?', charComparison('char<?', '<')],
  ['char>?', charComparison('char>?', '>')],
  ['char<=?', charComparison('char<=?', '<=')],
  ['char>=?', charComparison('char>=?', '>=')],
  ['set-car!', setField('set-car!', 'car')],
  ['set-cdr!', setField('set-cdr!', 'cdr')],
  ['list', { arity: -12, value: (args) => args.reduceRight((rest, { js }) => `new Pair(${js},${rest})`, 'NIL') }],
  ['append', { arity: 2, value: ([a, b], direct) => `${direct('append', 'two')}(${a!.js},${b!.js})` }],
])
for (const name of ['exact->inexact', 'inexact'])
  FAST.set(name, { arity: 1, value: ([a], direct) => `(typeof ${a!.js}==='number'?new F(${a!.js}):${a!.js} instanceof F?${a!.js}:${direct(name)}(${a!.js}))` })
for (const name of ['eqv?', 'equal?']) {
  // Of what is not the same object the builtin knows more.
  const emit: Emit = ([a, b], direct) => `(${a!.js}===${b!.js}||${direct(name)}(${a!.js},${b!.js}))`
  FAST.set(name, { arity: 2, value: emit, test: ([a, b], direct) => `(${a!.js}===${b!.js}||${direct(name, 'test')}(${a!.js},${b!.js}))` })
}
