// R7RS 6.1, 6.3, 6.5, 6.10, 6.11 and 6.14, as far as they call no procedure: equivalence, booleans,
// symbols, the questions about kinds of values, error objects and features.

import { wrongType, type Builtin } from './builtin.ts'
import { checkString, checkSymbol, row } from './check.ts'
import { isEqual, isEqv } from './equal.ts'
import { ReadError, SchemeError } from './error.ts'
import { EOF, SchemeSymbol, UNSPECIFIED, intern, list, type Value } from './value.ts'

function errorObject(who: string, value: Value): SchemeError {
  if (value instanceof SchemeError) return value
  throw wrongType(who, 'an error object', value)
}

function allSame(name: string, what: string, is: (value: Value) => boolean): Builtin {
  return row(name, 'obj obj ...', `Tells whether the ${what}s are all the same.`, (...items: Value[]) => {
    for (const item of items) if (!is(item)) throw wrongType(name, `a ${what}`, item)
    return items.every((item) => item === items[0])
  })
}

let generated = 0

/** A symbol that no text can name: equal to itself alone. */
function freshSymbol(): SchemeSymbol {
  return new SchemeSymbol(`g${++generated}`)
}

export const FEATURES = ['r7rs', 'exact-closed', 'ratios', 'full-unicode', 'nodwyn']

class Box {
  readonly typeName = 'box'
  value: Value
  constructor(value: Value) {
    this.value = value
  }
}

function boxOf(who: string, value: Value): Box {
  if (value instanceof Box) return value
  throw wrongType(who, 'a box', value)
}

export const dataBuiltins: Builtin[] = [
  row('box', 'obj', 'A new box that holds obj.', (value: Value) => new Box(value)),
  row('box?', 'obj', 'Tells whether obj is a box.', (value: Value) => value instanceof Box),
  row('unbox', 'box', 'What a box holds.', (box: Value) => boxOf('unbox', box).value),
  row('set-box!', 'box obj', 'Puts obj in a box.', (box: Value, value: Value) => {
    boxOf('set-box!', box).value = value
    return UNSPECIFIED
  }),
  row('eq?', 'obj1 obj2', 'Tells whether two objects are the same.', (a: Value, b: Value) => a === b),
  row('eqv?', 'obj1 obj2', 'Tells whether two objects are the same, numbers and characters by value.', isEqv),
  row('equal?', 'obj1 obj2', 'Tells whether two objects look the same: lists, vectors and strings by content.', isEqual, true),
  row('not', 'obj', 'Tells whether obj is #f.', (value: Value) => value === false),
  row('boolean?', 'obj', 'Tells whether obj is #t or #f.', (value: Value) => typeof value === 'boolean'),
  allSame('boolean=?', 'boolean', (value) => typeof value === 'boolean'),
  row('symbol?', 'obj', 'Tells whether obj is a symbol.', (value: Value) => value instanceof SchemeSymbol),
  allSame('symbol=?', 'symbol', (value) => value instanceof SchemeSymbol),
  row('symbol<?', 'symbol1 symbol2', 'Compares the names of symbols.', (a: Value, b: Value) => checkSymbol('symbol<?', a).name < checkSymbol('symbol<?', b).name),
  row('symbol-append', 'symbol ...', 'The symbol whose name is the names one after the other.', (...symbols: Value[]) => intern(symbols.map((symbol) => checkSymbol('symbol-append', symbol).name).join(''))),
  row('string->uninterned-symbol', 'string', 'A new symbol that is the same as no other.', (name: Value) => new SchemeSymbol(checkString('string->uninterned-symbol', name))),
  row('generate-uninterned-symbol', '', 'A new symbol that is the same as no other.', freshSymbol),
  row('gensym', '', 'A new symbol that is the same as no other.', freshSymbol),
  row('procedure?', 'obj', 'Tells whether obj is a procedure.', (value: Value) => typeof value === 'function'),
  row('void', 'obj ...', 'The unspecified value.', () => UNSPECIFIED),
  row('eof-object', '', 'The object that ends what is read.', () => EOF),
  row('eof-object?', 'obj', 'Tells whether obj is the end-of-file object.', (value: Value) => value === EOF),
  row('error-object?', 'obj', 'Tells whether obj is an error object.', (value: Value) => value instanceof SchemeError),
  row('error-object-message', 'error', 'The message of an error object.', (value: Value) => errorObject('error-object-message', value).message),
  row('error-object-irritants', 'error', 'The irritants of an error object.', (value: Value) => list(errorObject('error-object-irritants', value).irritants)),
  row('read-error?', 'obj', 'Tells whether obj says that a text could not be read.', (value: Value) => value instanceof ReadError),
  row('file-error?', 'obj', 'Tells whether obj says that a file could not be used.', (value: Value) => value instanceof SchemeError && value.kind === 'file'),
  row('features', '', 'The list of what this Scheme has, as symbols.', () => list(FEATURES.map(intern))),
]
