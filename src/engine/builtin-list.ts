// R7RS 6.4 and the parts of SRFI 1 that call no procedure: pairs and lists.

import { wrongType, type Builtin } from './builtin.ts'
import { checkCount, checkLength, checkList, checkPair, row } from './check.ts'
import { isEqual, isEqv } from './equal.ts'
import { SchemeError } from './error.ts'
import { DEFAULT, NIL, Pair, UNSPECIFIED, list, listLength, type Value } from './value.ts'

/** `caddr` and its like: the letters are steps from right to left. */
function path(name: string): Builtin {
  const steps = name.slice(1, -1).split('').reverse()
  return row(name, 'pair', `The part of a pair that ${name} names.`, (value: Value) => {
    let at = value
    for (const step of steps) {
      if (!(at instanceof Pair)) throw wrongType(name, steps.length === 1 ? 'a pair' : 'a list long enough', value)
      at = step === 'a' ? at.car : at.cdr
    }
    return at
  })
}

/** All paths of one to four steps. */
const PATHS: string[] = []
for (let steps = ['a', 'd']; steps[0]!.length <= 4; steps = steps.flatMap((tail) => [`a${tail}`, `d${tail}`]))
  PATHS.push(...steps.map((letters) => `c${letters}r`))

/** The pair behind the first k. */
function tail(who: string, items: Value, k: Value): Value {
  let rest = items
  for (let i = checkCount(who, k); i > 0; i--) {
    if (!(rest instanceof Pair)) throw new SchemeError(`${who}: index ${String(k)} is out of range for a list of length ${pairsIn(items)}`)
    rest = rest.cdr
  }
  return rest
}

function pairsIn(items: Value): number {
  let length = 0
  for (; items instanceof Pair; items = items.cdr) length++
  return length
}

function member(name: string, doc: string, same: (a: Value, b: Value) => boolean, deep: boolean): Builtin {
  const who = name.replace('%', '')
  return row(name, 'obj list', doc, (item: Value, items: Value) => {
    for (let rest = items; rest instanceof Pair; rest = rest.cdr) if (same(rest.car, item)) return rest
    checkList(who, items)
    return false
  }, deep)
}

function assoc(name: string, doc: string, same: (a: Value, b: Value) => boolean, deep: boolean): Builtin {
  const who = name.replace('%', '')
  return row(name, 'key alist', doc, (key: Value, items: Value) => {
    for (let rest = items; rest instanceof Pair; rest = rest.cdr) {
      const entry = rest.car
      if (!(entry instanceof Pair)) throw wrongType(who, 'a list of pairs', items)
      if (same(entry.car, key)) return entry
    }
    checkList(who, items)
    return false
  }, deep)
}

const isEq = (a: Value, b: Value): boolean => a === b

function append(name: string): Builtin {
  const two = (items: Value, tail: Value) => appendTwo(name.replace('%', ''), items, tail)
  const all = (...lists: Value[]) => (lists.length === 0 ? NIL : lists.reduceRight((tail, items) => two(items, tail)))
  return { ...row(name, 'list ...', 'The elements of the lists in one list; the last one is shared.', all), binary: two }
}

function reverseOnto(who: string, items: Value, tail: Value): Value {
  if (listLength(items) === null) return checkList(who, items)
  for (; items instanceof Pair; items = items.cdr) tail = new Pair(items.car, tail)
  return tail
}

/** A copy of a list that goes on with `tail`. */
function appendTwo(who: string, items: Value, tail: Value): Value {
  if (!(items instanceof Pair)) return items === NIL ? tail : checkList(who, items)
  const head = new Pair(items.car, tail)
  let last = head
  let slow: Value = items
  let odd = false
  for (let rest = items.cdr; rest !== NIL; rest = rest.cdr) {
    if (!(rest instanceof Pair) || rest === slow) return checkList(who, items)
    last = last.cdr = new Pair(rest.car, tail)
    if (odd) slow = (slow as Pair).cdr
    odd = !odd
  }
  return head
}

const NTH = ['first', 'second', 'third', 'fourth', 'fifth']

export const listBuiltins: Builtin[] = [
  row('cons', 'obj1 obj2', 'A new pair.', (a: Value, b: Value) => new Pair(a, b)),
  row('xcons', 'obj1 obj2', 'A new pair, with the arguments the other way round.', (a: Value, b: Value) => new Pair(b, a)),
  row('cons*', 'obj ...', 'As list, with the last argument as the tail.', (...items: Value[]) => list(items.slice(0, -1), items.at(-1) ?? NIL)),
  ...PATHS.map(path),
  row('set-car!', 'pair obj', 'Puts obj in the car of a pair.', (pair: Value, value: Value) => {
    checkPair('set-car!', pair).car = value
    return UNSPECIFIED
  }),
  row('set-cdr!', 'pair obj', 'Puts obj in the cdr of a pair.', (pair: Value, value: Value) => {
    checkPair('set-cdr!', pair).cdr = value
    return UNSPECIFIED
  }),
  row('pair?', 'obj', 'Tells whether obj is a pair.', (value: Value) => value instanceof Pair),
  row('null?', 'obj', 'Tells whether obj is the empty list.', (value: Value) => value === NIL),
  row('list?', 'obj', 'Tells whether obj is a proper list.', (value: Value) => listLength(value) !== null),
  row('list', 'obj ...', 'The list of the arguments.', (...items: Value[]) => list(items)),
  row('make-list', 'k [fill]', 'A list of k elements.', (k: Value, fill: Value) => list(new Array<Value>(checkLength('make-list', k)).fill(fill === DEFAULT ? UNSPECIFIED : fill))),
  row('length', 'list', 'How many elements a list has.', (items: Value) => listLength(items) ?? checkList('length', items).length),
  append('append'),
  append('%append'),
  append('append!'),
  row('concatenate', 'lists', 'The elements of a list of lists in one list.', (lists: Value) => {
    const all = checkList('concatenate', lists)
    return all.slice(0, -1).reduceRight<Value>((rest, items) => list(checkList('concatenate', items), rest), all.at(-1) ?? NIL)
  }),
  row('append-reverse', 'list tail', 'The elements of a list backwards, then the tail.', (items: Value, rest: Value) => reverseOnto('append-reverse', items, rest)),
  row('reverse', 'list', 'The elements of a list backwards.', (items: Value) => reverseOnto('reverse', items, NIL)),
  row('reverse!', 'list', 'The elements of a list backwards.', (items: Value) => reverseOnto('reverse!', items, NIL)),
  row('list-tail', 'list k', 'The list without its first k elements.', (items: Value, k: Value) => tail('list-tail', items, k)),
  row('drop', 'list k', 'The list without its first k elements.', (items: Value, k: Value) => tail('drop', items, k)),
  row('list-head', 'list k', 'The first k elements of a list.', (items: Value, k: Value) => take('list-head', items, k)),
  row('take', 'list k', 'The first k elements of a list.', (items: Value, k: Value) => take('take', items, k)),
  row('take-right', 'list k', 'The last k elements of a list.', (items: Value, k: Value) => tail('take-right', items, fromEnd('take-right', items, k))),
  row('drop-right', 'list k', 'The list without its last k elements.', (items: Value, k: Value) => take('drop-right', items, fromEnd('drop-right', items, k))),
  row('list-ref', 'list k', 'The element of a list at an index.', (items: Value, k: Value) => element('list-ref', items, k).car),
  row('list-set!', 'list k obj', 'Puts obj at an index of a list.', (items: Value, k: Value, value: Value) => {
    element('list-set!', items, k).car = value
    return UNSPECIFIED
  }),
  row('list-copy', 'obj', 'A new list with the same elements.', (value: Value) => {
    const items: Value[] = []
    let rest = value
    let slow = value
    for (; rest instanceof Pair; rest = rest.cdr) {
      items.push(rest.car)
      if (items.length % 2 === 0 && (slow = (slow as Pair).cdr) === rest.cdr && slow instanceof Pair) return checkList('list-copy', value)
    }
    return list(items, rest)
  }),
  row('last-pair', 'list', 'The last pair of a list.', (items: Value) => lastPair('last-pair', items)),
  row('last', 'list', 'The last element of a list.', (items: Value) => lastPair('last', items).car),
  ...NTH.map((name, i) => row(name, 'list', `The ${name} element of a list.`, (items: Value) => element(name, items, i).car)),
  member('memq', 'The list from the first element that is eq? to obj, or #f.', isEq, false),
  member('memv', 'The list from the first element that is eqv? to obj, or #f.', isEqv, false),
  member('%member', 'The list from the first element that is equal? to obj, or #f.', isEqual, true),
  assoc('assq', 'The first pair whose car is eq? to key, or #f.', isEq, false),
  assoc('assv', 'The first pair whose car is eqv? to key, or #f.', isEqv, false),
  assoc('%assoc', 'The first pair whose car is equal? to key, or #f.', isEqual, true),
]

function take(who: string, items: Value, k: Value): Value {
  const taken: Value[] = []
  let rest = items
  for (let i = checkCount(who, k); i > 0; i--) {
    if (!(rest instanceof Pair)) throw new SchemeError(`${who}: index ${String(k)} is out of range for a list of length ${taken.length}`)
    taken.push(rest.car)
    rest = rest.cdr
  }
  return list(taken)
}

function fromEnd(who: string, items: Value, k: Value): number {
  const length = pairsIn(items)
  if (checkCount(who, k) > length) throw new SchemeError(`${who}: index ${String(k)} is out of range for a list of length ${length}`)
  return length - (k as number)
}

function element(who: string, items: Value, k: Value): Pair {
  const pair = tail(who, items, k)
  if (pair instanceof Pair) return pair
  throw new SchemeError(`${who}: index ${String(k)} is out of range for a list of length ${pairsIn(items)}`)
}

function lastPair(who: string, items: Value): Pair {
  let pair = checkPair(who, items)
  while (pair.cdr instanceof Pair) pair = pair.cdr
  return pair
}
