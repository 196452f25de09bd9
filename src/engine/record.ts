// The procedures that `define-record-type` defines (R7RS 5.5). Each is written out for the number of its
// arguments, since V8 makes much less of a function with a rest parameter.

import { wrongType } from './builtin.ts'
import { SchemeError } from './error.ts'
import { arityMessage } from './machine.ts'
import { Labelled, Record, UNSPECIFIED, label, type Procedure, type RecordType, type Value } from './value.ts'

function named(name: string, procedure: unknown): Procedure {
  return Object.assign(procedure as Procedure, { schemeName: name })
}

function wrongArity(name: string, params: string[], got: number): never {
  throw new SchemeError(arityMessage(name, params, params.length, got), { help: `the form is (${[name, ...params].join(' ')})` })
}

/** `order`: the index of the field that each argument sets; other fields are unspecified. */
export function recordConstructor(type: RecordType, name: string, order: number[]): Procedure {
  const params = order.map((index) => type.fields[index]!)
  const isPlain = order.length === type.fields.length && order.every((index, i) => index === i)
  const checked = (count: number) => count === order.length || wrongArity(name, params, count)
  if (isPlain && order.length === 1)
    return named(name, function (_depth: number, a: Value) {
      return checked(arguments.length - 1) && new Record(type, [a])
    })
  if (isPlain && order.length === 2)
    return named(name, function (_depth: number, a: Value, b: Value) {
      return checked(arguments.length - 1) && new Record(type, [a, b])
    })
  if (isPlain && order.length === 3)
    return named(name, function (_depth: number, a: Value, b: Value, c: Value) {
      return checked(arguments.length - 1) && new Record(type, [a, b, c])
    })
  return named(name, (_depth: number, ...args: Value[]) => {
    checked(args.length)
    const fields: Value[] = new Array(type.fields.length).fill(UNSPECIFIED)
    order.forEach((index, i) => (fields[index] = args[i]!))
    return new Record(type, fields)
  })
}

export function recordPredicate(type: RecordType, name: string): Procedure {
  return named(name, function (_depth: number, value: Value) {
    if (arguments.length !== 2) return wrongArity(name, ['obj'], arguments.length - 1)
    if (value instanceof Labelled) return label(value.value instanceof Record && value.value.type === type, value.labels)
    return value instanceof Record && value.type === type
  })
}

export function recordAccessor(type: RecordType, name: string, index: number): Procedure {
  return named(name, function (_depth: number, record: Value) {
    if (arguments.length !== 2) return wrongArity(name, ['record'], arguments.length - 1)
    if (record instanceof Record && record.type === type) return record.fields[index]
    return record instanceof Labelled ? label(fieldsOf(record.value, type, name)[index]!, record.labels) : fieldsOf(record, type, name)
  })
}

export function recordModifier(type: RecordType, name: string, index: number): Procedure {
  return named(name, function (_depth: number, record: Value, value: Value) {
    if (arguments.length !== 3) return wrongArity(name, ['record', 'value'], arguments.length - 1)
    const fields = record instanceof Record && record.type === type ? record.fields : fieldsOf(record, type, name)
    fields[index] = value
    return UNSPECIFIED
  })
}

function fieldsOf(value: Value, type: RecordType, who: string): Value[] {
  if (value instanceof Record && value.type === type) return value.fields
  throw wrongType(who, `a ${type.name}`, value)
}
