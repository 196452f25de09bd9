// Some of the programs as a JavaScript programmer would write them by hand, on the same data: linked
// lists where the Scheme has lists, strings where it has symbols. Each is `run` of the program of that name.

class Pair {
  car: unknown
  cdr: List
  constructor(car: unknown, cdr: List) {
    this.car = car
    this.cdr = cdr
  }
}
type List = Pair | null

const fib = (n: number): number => (n < 2 ? n : fib(n - 1) + fib(n - 2))

const tak = (x: number, y: number, z: number): number => (y >= x ? z : tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y)))

function list(...items: unknown[]): List {
  let result: List = null
  for (let i = items.length - 1; i >= 0; i--) result = new Pair(items[i], result)
  return result
}

function append(a: List, b: List): List {
  if (a === null) return b
  const head = new Pair(a.car, null)
  let last = head
  for (let rest = a.cdr; rest !== null; rest = rest.cdr) last = last.cdr = new Pair(rest.car, null)
  last.cdr = b
  return head
}

function map(f: (item: unknown) => unknown, items: List): List {
  if (items === null) return null
  const head = new Pair(f(items.car), null)
  let last = head
  for (let rest = items.cdr; rest !== null; rest = rest.cdr) last = last.cdr = new Pair(f(rest.car), null)
  return head
}

function nqueens(n: number): number {
  const isSafe = (row: number, placed: List): boolean => {
    for (let distance = 1; placed !== null; distance++, placed = placed.cdr)
      if (placed.car === row + distance || placed.car === row - distance) return false
    return true
  }
  const place = (x: List, y: List, z: List): number => {
    if (x === null) return y === null ? 1 : 0
    return (isSafe(x.car as number, z) ? place(append(x.cdr, y), null, new Pair(x.car, z)) : 0) + place(x.cdr, new Pair(x.car, y), z)
  }
  return place(list(...Array.from({ length: n }, (_, i) => i + 1)), null, null)
}

const second = (l: List): unknown => l!.cdr!.car
const third = (l: List): unknown => l!.cdr!.cdr!.car

function deriv(a: unknown): unknown {
  if (!(a instanceof Pair)) return a === 'x' ? 1 : 0
  switch (a.car) {
    case '+':
    case '-':
      return new Pair(a.car, map(deriv, a.cdr))
    case '*':
      return list('*', a, new Pair('+', map((part) => list('/', deriv(part), part), a.cdr)))
    case '/':
      return list('-', list('/', deriv(second(a)), third(a)), list('/', second(a), list('*', third(a), third(a), deriv(third(a)))))
    default:
      throw new Error(`no derivative of ${String(a.car)}`)
  }
}
const expression = list('+', list('*', 3, 'x', 'x'), list('*', 'a', 'x', 'x'), list('*', 'b', 'x'), 5)

function count(r: number, i: number, step: number, x: number, y: number): number {
  const cr = r + x * step
  const ci = i + y * step
  let zr = cr
  let zi = ci
  let c = 0
  while (c !== 64) {
    const zr2 = zr * zr
    const zi2 = zi * zi
    if (zr2 + zi2 > 16) break
    zi = 2 * (zr * zi) + ci
    zr = zr2 - zi2 + cr
    c++
  }
  return c
}

function mbrot(n: number): number[] {
  const matrix = Array.from({ length: n }, () => new Array<number>(n).fill(0))
  for (let y = n - 1; y >= 0; y--) for (let x = n - 1; x >= 0; x--) matrix[x]![y] = count(-1, -0.5, 0.00375, x, y)
  return [matrix[0]![0]!, matrix[399]![399]!, matrix[200]![25]!]
}

const names = Array.from({ length: 100 }, (_, i) => `key${99 - i}`)
const keys = list(...names.map(Symbol))
const table = map((key) => new Pair(key, 1 as unknown as List), keys)
const byName = list(...names.map((name) => new Pair(name, 2 as unknown as List)))

function lookup(key: unknown, entries: List): Pair | null {
  for (; entries !== null; entries = entries.cdr) if ((entries.car as Pair).car === key) return entries.car as Pair
  return null
}

function assoc(): number {
  let sum = 0
  for (let i = 0; i < 5000; i++)
    for (let rest = keys; rest !== null; rest = rest.cdr) sum += lookup(rest.car, table)!.cdr as unknown as number
  for (const name of names) sum += lookup(name, byName)!.cdr as unknown as number
  return sum
}

/** A result as Scheme writes it, to compare with what the program expects. */
export function written(value: unknown): string {
  if (value === null || value instanceof Pair) {
    const items: string[] = []
    for (let rest = value; rest !== null; rest = rest.cdr) items.push(written(rest.car))
    return `(${items.join(' ')})`
  }
  return Array.isArray(value) ? `(${value.map(written).join(' ')})` : String(value)
}

export const javascript: Record<string, () => unknown> = {
  fib: () => fib(35),
  tak: () => tak(28, 16, 8),
  nqueens: () => nqueens(12),
  deriv: () => {
    let result: unknown
    for (let i = 0; i < 100_000; i++) result = deriv(expression)
    return result
  },
  mbrot: () => mbrot(400),
  assoc,
}
