// eqv? and equal? (R7RS 6.1). equal? ends on circular data and works at any depth.

import { Char, Flonum, MutableString, Pair, Rational, type Value } from './value.ts'

export function isEqv(a: Value, b: Value): boolean {
  if (a === b) return true
  if (a instanceof Flonum) return b instanceof Flonum && Object.is(a.value, b.value)
  if (a instanceof Rational) return b instanceof Rational && a.numerator === b.numerator && a.denominator === b.denominator
  return a instanceof Char && b instanceof Char && a.code === b.code
}

const isText = (value: Value): boolean => typeof value === 'string' || value instanceof MutableString

// Comparisons before those under way are remembered: circular data are met again only after many.
const PLAIN_STEPS = 10_000

export function isEqual(a: Value, b: Value): boolean {
  const todo: Value[] = [a, b]
  let steps = 0
  let assumed: Map<Value, Set<Value>> | null = null
  while (todo.length > 0) {
    let y = todo.pop()!
    let x = todo.pop()!
    for (;;) {
      if (isEqv(x, y)) break
      if (isText(x)) {
        if (!isText(y) || String(x) !== String(y)) return false
        break
      }
      if (x instanceof Uint8Array) {
        if (!(y instanceof Uint8Array) || !sameBytes(x, y)) return false
        break
      }
      const isPair = x instanceof Pair
      if (!isPair && !Array.isArray(x)) return false
      if (++steps > PLAIN_STEPS) {
        assumed ??= new Map()
        const known = assumed.get(x)
        if (known?.has(y)) break
        if (known) known.add(y)
        else assumed.set(x, new Set([y]))
      }
      if (isPair) {
        if (!(y instanceof Pair)) return false
        todo.push((x as Pair).cdr, y.cdr)
        x = (x as Pair).car
        y = y.car
        continue
      }
      const items = x as Value[]
      if (!Array.isArray(y) || y.length !== items.length) return false
      for (let i = items.length - 1; i >= 0; i--) todo.push(items[i]!, y[i]!)
      break
    }
  }
  return true
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
