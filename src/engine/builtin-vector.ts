// R7RS 6.8 and 6.9: vectors and bytevectors.

import { wrongType, type Builtin } from './builtin.ts'
import { checkByte, checkBytes, checkLength, checkIndex, checkList, checkRange, checkString, checkVector, row } from './check.ts'
import { SchemeError } from './error.ts'
import { DEFAULT, MutableString, UNSPECIFIED, list, type Value } from './value.ts'

/** A part of a vector or bytevector. */
function part<T extends Value[] | Uint8Array>(who: string, what: string, items: T, start: Value, end: Value): T {
  const [from, to] = checkRange(who, start, end, what, items.length)
  return items.slice(from, to) as T
}

function copyInto(who: string, what: string, to: Value[] | Uint8Array, at: Value, from: Value[] | Uint8Array, start: Value, end: Value): Value {
  const source = part(who, what, from, start, end)
  const [place] = checkRange(who, at, DEFAULT, what, to.length)
  if (place + source.length > to.length) throw new SchemeError(`${who}: ${source.length} elements do not fit at index ${place} of ${what} of length ${to.length}`)
  for (let i = 0; i < source.length; i++) (to as Value[])[place + i] = source[i]!
  return UNSPECIFIED
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const vectorBuiltins: Builtin[] = [
  row('vector?', 'obj', 'Tells whether obj is a vector.', (value: Value) => Array.isArray(value)),
  row('vector', 'obj ...', 'The vector of the arguments.', (...items: Value[]) => items),
  row('make-vector', 'k [fill]', 'A vector of k elements.', (k: Value, fill: Value) => {
    const length = checkLength('make-vector', k)
    return new Array<Value>(length).fill(fill === DEFAULT ? UNSPECIFIED : fill)
  }),
  row('vector-length', 'vector', 'How many elements a vector has.', (v: Value) => checkVector('vector-length', v).length),
  row('vector-ref', 'vector k', 'The element of a vector at an index.', (v: Value, k: Value) => {
    const items = checkVector('vector-ref', v)
    return items[checkIndex('vector-ref', k, 'a vector', items.length)]!
  }),
  row('vector-set!', 'vector k obj', 'Puts obj at an index of a vector.', (v: Value, k: Value, value: Value) => {
    const items = checkVector('vector-set!', v)
    items[checkIndex('vector-set!', k, 'a vector', items.length)] = value
    return UNSPECIFIED
  }),
  row('vector->list', 'vector [start end]', 'The elements of a vector as a list.', (v: Value, start: Value, end: Value) => list(part('vector->list', 'a vector', checkVector('vector->list', v), start, end))),
  row('list->vector', 'list', 'The elements of a list as a vector.', (items: Value) => checkList('list->vector', items)),
  row('vector-copy', 'vector [start end]', 'A new vector of the elements from start up to end.', (v: Value, start: Value, end: Value) => part('vector-copy', 'a vector', checkVector('vector-copy', v), start, end)),
  row('subvector', 'vector start end', 'A new vector of the elements from start up to end.', (v: Value, start: Value, end: Value) => part('subvector', 'a vector', checkVector('subvector', v), start, end)),
  row('vector-copy!', 'to at from [start end]', 'Copies elements of one vector into another.', (to: Value, at: Value, from: Value, start: Value, end: Value) =>
    copyInto('vector-copy!', 'a vector', checkVector('vector-copy!', to), at, checkVector('vector-copy!', from), start, end)),
  row('vector-append', 'vector ...', 'The elements of the vectors in one vector.', (...vectors: Value[]) => {
    const all = vectors.map((v) => checkVector('vector-append', v))
    checkLength('vector-append', all.reduce((sum, v) => sum + v.length, 0))
    return ([] as Value[]).concat(...all)
  }),
  row('vector-fill!', 'vector obj [start end]', 'Puts obj everywhere from start up to end.', (v: Value, value: Value, start: Value, end: Value) => {
    const items = checkVector('vector-fill!', v)
    const [from, to] = checkRange('vector-fill!', start, end, 'a vector', items.length)
    items.fill(value, from, to)
    return UNSPECIFIED
  }),
  row('bytevector?', 'obj', 'Tells whether obj is a bytevector.', (value: Value) => value instanceof Uint8Array),
  row('bytevector', 'byte ...', 'The bytevector of the arguments.', (...bytes: Value[]) => Uint8Array.from(bytes.map((byte) => checkByte('bytevector', byte)))),
  row('make-bytevector', 'k [byte]', 'A bytevector of k bytes.', (k: Value, byte: Value) => new Uint8Array(checkLength('make-bytevector', k)).fill(byte === DEFAULT ? 0 : checkByte('make-bytevector', byte))),
  row('bytevector-length', 'bytevector', 'How many bytes a bytevector has.', (b: Value) => checkBytes('bytevector-length', b).length),
  row('bytevector-u8-ref', 'bytevector k', 'The byte at an index.', (b: Value, k: Value) => {
    const bytes = checkBytes('bytevector-u8-ref', b)
    return bytes[checkIndex('bytevector-u8-ref', k, 'a bytevector', bytes.length)]!
  }),
  row('bytevector-u8-set!', 'bytevector k byte', 'Puts a byte at an index.', (b: Value, k: Value, byte: Value) => {
    const bytes = checkBytes('bytevector-u8-set!', b)
    bytes[checkIndex('bytevector-u8-set!', k, 'a bytevector', bytes.length)] = checkByte('bytevector-u8-set!', byte)
    return UNSPECIFIED
  }),
  row('bytevector-copy', 'bytevector [start end]', 'A new bytevector of the bytes from start up to end.', (b: Value, start: Value, end: Value) => part('bytevector-copy', 'a bytevector', checkBytes('bytevector-copy', b), start, end)),
  row('bytevector-copy!', 'to at from [start end]', 'Copies bytes of one bytevector into another.', (to: Value, at: Value, from: Value, start: Value, end: Value) =>
    copyInto('bytevector-copy!', 'a bytevector', checkBytes('bytevector-copy!', to), at, checkBytes('bytevector-copy!', from), start, end)),
  row('bytevector-append', 'bytevector ...', 'The bytes of the bytevectors in one bytevector.', (...given: Value[]) => {
    const all = given.map((b) => checkBytes('bytevector-append', b))
    const result = new Uint8Array(checkLength('bytevector-append', all.reduce((sum, b) => sum + b.length, 0)))
    let at = 0
    for (const bytes of all) {
      result.set(bytes, at)
      at += bytes.length
    }
    return result
  }),
  row('bytevector-fill!', 'bytevector byte [start end]', 'Puts a byte everywhere from start up to end.', (b: Value, byte: Value, start: Value, end: Value) => {
    const bytes = checkBytes('bytevector-fill!', b)
    const [from, to] = checkRange('bytevector-fill!', start, end, 'a bytevector', bytes.length)
    bytes.fill(checkByte('bytevector-fill!', byte), from, to)
    return UNSPECIFIED
  }),
  row('utf8->string', 'bytevector [start end]', 'The string that bytes in UTF-8 stand for.', (b: Value, start: Value, end: Value) => {
    const bytes = part('utf8->string', 'a bytevector', checkBytes('utf8->string', b), start, end)
    try {
      return new MutableString(utf8.decode(bytes))
    } catch {
      throw wrongType('utf8->string', 'bytes in UTF-8', b)
    }
  }),
  row('string->utf8', 'string [start end]', 'The bytes of a string in UTF-8.', (s: Value, start: Value, end: Value) => {
    const chars = Array.from(checkString('string->utf8', s))
    const [from, to] = checkRange('string->utf8', start, end, 'a string', chars.length)
    return new TextEncoder().encode(chars.slice(from, to).join(''))
  }),
]
