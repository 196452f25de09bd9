// Hash tables (SRFI 69), as far as they call no procedure. Keys that equal? compares by content are
// filed under a text of that content; entries keep the order in which they were added.

import { wrongType, type Builtin } from './builtin.ts'
import { row } from './check.ts'
import { isEqual, isEqv } from './equal.ts'
import { DEFAULT, Flonum, MutableString, Pair, Rational, UNSPECIFIED, list, type Value } from './value.ts'

type Entry = { key: Value; value: Value }

/** A key that is the same only as itself is its own place in the JavaScript map, which then holds the
 * entry; keys that are compared by content share a place with others of the same hash. */
export class HashTable {
  readonly typeName = 'hash-table'
  private readonly kind: 'eq' | 'eqv' | 'equal'
  private readonly places = new Map<unknown, Entry | Entry[]>()
  size = 0
  constructor(kind: 'eq' | 'eqv' | 'equal') {
    this.kind = kind
  }

  find(key: Value): Entry | undefined {
    const place = this.places.get(this.hash(key))
    return Array.isArray(place) ? place.find((entry) => this.same(entry.key, key)) : place
  }

  set(key: Value, value: Value): void {
    const hash = this.hash(key)
    const place = this.places.get(hash)
    const found = Array.isArray(place) ? place.find((entry) => this.same(entry.key, key)) : place
    if (found) {
      found.value = value
      return
    }
    this.size++
    const entry = { key, value }
    if (Array.isArray(place)) place.push(entry)
    else this.places.set(hash, isShared(hash) ? [entry] : entry)
  }

  delete(key: Value): void {
    const hash = this.hash(key)
    const place = this.places.get(hash)
    if (place === undefined) return
    if (Array.isArray(place)) {
      const at = place.findIndex((entry) => this.same(entry.key, key))
      if (at < 0) return
      place.splice(at, 1)
    }
    if (!Array.isArray(place) || place.length === 0) this.places.delete(hash)
    this.size--
  }

  clear(): void {
    this.places.clear()
    this.size = 0
  }

  entries(): Entry[] {
    return [...this.places.values()].flat()
  }

  copy(): HashTable {
    const copy = new HashTable(this.kind)
    for (const { key, value } of this.entries()) copy.set(key, value)
    return copy
  }

  private same(a: Value, b: Value): boolean {
    return this.kind === 'equal' ? isEqual(a, b) : isEqv(a, b)
  }

  /** A JavaScript map key that is the same for keys that are the same. */
  private hash(key: Value): unknown {
    if (typeof key !== 'object' || this.kind === 'eq') return plainHash(key)
    if (this.kind === 'eqv') return key instanceof Flonum || key instanceof Rational ? contentHash(key, 0) : key
    return key instanceof MutableString ? plainHash(key.toString()) : contentHash(key, 4)
  }
}

/** Hashes of contents are texts that begin with this, and nothing else is. */
const MARK = '\u0000'

function plainHash(key: Value): unknown {
  return typeof key === 'string' && key.startsWith(MARK) ? MARK + key : key
}

function isShared(hash: unknown): boolean {
  return typeof hash === 'string' && hash.startsWith(MARK)
}

/** Of the first elements, to some depth: enough to tell most keys apart, and the same for equal ones. A
 * key without contents is its own. */
function contentHash(key: Value, depth: number): unknown {
  if (key instanceof Flonum) return `${MARK}f${key.value}`
  if (key instanceof Rational) return `${MARK}q${key.numerator}/${key.denominator}`
  if (key instanceof Uint8Array) return `${MARK}b${key.slice(0, 16).join(' ')}`
  if (Array.isArray(key)) return `${MARK}v${key.length}${depth === 0 ? '' : key.slice(0, 8).map((item) => part(item, depth - 1)).join(' ')}`
  if (!(key instanceof Pair)) return key
  let text = `${MARK}p`
  let rest: Value = key
  for (let i = 0; i < 8 && rest instanceof Pair && depth > 0; i++, rest = rest.cdr) text += ` ${part(rest.car, depth - 1)}`
  return text
}

function part(value: Value, depth: number): string {
  if (typeof value === 'string' || value instanceof MutableString) return `s${value}`
  const hash = contentHash(value, depth)
  if (typeof hash === 'object' || typeof hash === 'function') return (hash as { name?: string }).name ?? 'o'
  return String(hash)
}

function table(who: string, value: Value): HashTable {
  if (value instanceof HashTable) return value
  throw wrongType(who, 'a hash table', value)
}

function making(name: string, kind: 'eq' | 'eqv' | 'equal' | null): Builtin {
  return row(name, 'comparison ...', 'A new hash table; its keys are compared as its name, or its first argument, says.', (...args: Value[]) => {
    const { schemeName } = (args[0] ?? {}) as { schemeName?: string }
    return new HashTable(kind ?? (schemeName === 'eq?' ? 'eq' : schemeName === 'eqv?' || schemeName === '=' ? 'eqv' : 'equal'))
  })
}

export const tableBuiltins: Builtin[] = [
  making('make-hash-table', null),
  making('make-equal-hash-table', 'equal'),
  making('make-string-hash-table', 'equal'),
  making('make-strong-eqv-hash-table', 'eqv'),
  making('make-strong-eq-hash-table', 'eq'),
  row('hash-table?', 'obj', 'Tells whether obj is a hash table.', (value: Value) => value instanceof HashTable),
  row('hash-table-set!', 'table key obj', 'Makes obj the value of a key.', (t: Value, key: Value, value: Value) => {
    table('hash-table-set!', t).set(key, value)
    return UNSPECIFIED
  }),
  row('hash-table-ref/default', 'table key obj', 'The value of a key, or obj where there is none.', (t: Value, key: Value, fallback: Value) => table('hash-table-ref/default', t).find(key)?.value ?? fallback),
  row('hash-table-contains?', 'table key', 'Tells whether a table has a key.', (t: Value, key: Value) => table('hash-table-contains?', t).find(key) !== undefined),
  row('hash-table-exists?', 'table key', 'Tells whether a table has a key.', (t: Value, key: Value) => table('hash-table-exists?', t).find(key) !== undefined),
  row('hash-table-delete!', 'table key', 'Removes a key.', (t: Value, key: Value) => {
    table('hash-table-delete!', t).delete(key)
    return UNSPECIFIED
  }),
  row('hash-table-clear!', 'table', 'Removes all keys.', (t: Value) => {
    table('hash-table-clear!', t).clear()
    return UNSPECIFIED
  }),
  row('hash-table-size', 'table', 'How many keys a table has.', (t: Value) => table('hash-table-size', t).size),
  row('hash-table-count', 'table', 'How many keys a table has.', (t: Value) => table('hash-table-count', t).size),
  row('hash-table-keys', 'table', 'The keys, in the order in which they were added.', (t: Value) => list(table('hash-table-keys', t).entries().map(({ key }) => key))),
  row('hash-table-values', 'table', 'The values, in the order of the keys.', (t: Value) => list(table('hash-table-values', t).entries().map(({ value }) => value))),
  row('hash-table->alist', 'table', 'The keys and values as an association list.', (t: Value) => list(table('hash-table->alist', t).entries().map(({ key, value }) => new Pair(key, value)))),
  row('alist->hash-table', 'alist [comparison]', 'A hash table of an association list; the first pair of a key counts.', (alist: Value, comparison: Value) => {
    const { schemeName } = (comparison === DEFAULT ? {} : comparison) as { schemeName?: string }
    const made = new HashTable(schemeName === 'eq?' ? 'eq' : schemeName === 'eqv?' ? 'eqv' : 'equal')
    for (let rest = alist; rest instanceof Pair; rest = rest.cdr) {
      const entry = rest.car
      if (!(entry instanceof Pair)) throw wrongType('alist->hash-table', 'a list of pairs', alist)
      if (!made.find(entry.car)) made.set(entry.car, entry.cdr)
    }
    return made
  }),
  row('hash-table-copy', 'table', 'A new hash table with the same keys and values.', (t: Value) => table('hash-table-copy', t).copy()),
]
