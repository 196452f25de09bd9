// The JSON bridge: text to values and back, values to Scheme data and back.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Flonum, Labelled, NIL, Pair, intern, label, list, type Value } from '../src/engine/index.ts'
import { fromPlain, parseJson, toPlain, writeJson } from '../src/tool/json.ts'
import { fromJson, toArgument, toJson } from '../src/tool/scheme-data.ts'
import { ToolError, type Param } from '../src/tool/prim.ts'

function message(step: () => unknown): string {
  try {
    step()
  } catch (error) {
    if (error instanceof ToolError) return error.message
    throw error
  }
  return 'no error'
}

const plain = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__'))

describe('text', () => {
  test('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(plain, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(toPlain(parseJson(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  test('is read back as it was written', () => {
    fc.assert(
      fc.property(plain, (value) => {
        const json = fromPlain(JSON.parse(JSON.stringify(value)))
        expect(parseJson(writeJson(json))).toEqual(json)
      }),
    )
  })

  test('what JSON.parse refuses is refused', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        let valid = true
        try {
          JSON.parse(text)
        } catch {
          valid = false
        }
        expect(message(() => parseJson(text)) === 'no error').toBe(valid)
      }),
      { numRuns: 500 },
    )
  })

  for (const [text, want] of [
    ['{"a": 1, "a": 2}', 'line 1, column 10: "a" is given twice, got "\\"a\\": 2}"'],
    ['{"x": {"b": 1,\n "b": 2}}', 'line 2, column 2: "b" is given twice in x, got "\\"b\\": 2}}"'],
    ['{"edits": [{"old": "a"}, {"old": "a", "old": "b"}]}', 'line 1, column 39: "old" is given twice in edits[1] (edit 2), got "\\"old\\": \\"b\\"}]}"'],
    ['["\\ud800"]', 'line 1, column 2: a string holds half a character (a lone surrogate), got "\\"\\\\ud800\\"]"'],
    ['{"a" 1}', 'line 1, column 6: expected : after the key, got "1}"'],
    ['[1 2]', 'line 1, column 4: expected , or ], got "2]"'],
    ['', 'line 1, column 1: expected a value, got the end'],
    ['{"a": "b', 'line 1, column 7: the string that begins here does not end, got "\\"b"'],
    ['[1] x', 'line 1, column 5: expected the end of the text, got "x"'],
    ['{a: 1}', 'line 1, column 2: expected a key in double quotes, got "a: 1}"'],
    ['01', 'line 1, column 1: expected a number, got "01"'],
    ['1e999', 'line 1, column 1: the number is too large, got "1e999"'],
    ['nul', 'line 1, column 1: expected a value, got "nul"'],
  ] as const) {
    test(`${JSON.stringify(text)} is refused`, () => {
      expect(message(() => parseJson(text))).toBe(`the arguments are not valid JSON: ${want}`)
    })
  }

  test('nests 100,000 deep', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(writeJson(parseJson(deep))).toBe(deep)
  })

  test('integers are exact at any size, other numbers are inexact', () => {
    expect(parseJson('[1, -0, 12345678901234567890, 1.0, 1e3, 0.5]')).toEqual([1, 0, 12345678901234567890n, new Flonum(1), new Flonum(1000), new Flonum(0.5)])
    expect(writeJson([12345678901234567890n, new Flonum(1), new Flonum(1e21), new Flonum(0.5)])).toBe('[12345678901234567890,1.0,1e+21,0.5]')
  })

  test('keeps the order of keys, numbers among them', () => {
    expect(writeJson(parseJson('{"b":1,"2":2,"1":3}'))).toBe('{"b":1,"2":2,"1":3}')
  })
})

describe('Scheme data', () => {
  test('comes back as it went, but for empty objects and lists of lists that begin with strings', () => {
    // As data, (("a" 1)) is the list of a list and the object with "a" and (1): it is taken for the object.
    const looksLikeObject = (value: unknown[]): boolean => value.length > 0 && value.every((item) => Array.isArray(item) && typeof item[0] === 'string')
    const without = (value: unknown): boolean => {
      if (Array.isArray(value)) return !looksLikeObject(value) && value.every(without)
      return typeof value !== 'object' || value === null || (Object.keys(value).length > 0 && Object.values(value).every(without))
    }
    fc.assert(
      fc.property(plain.filter(without), (value) => {
        const json = fromPlain(JSON.parse(JSON.stringify(value)))
        expect(toJson(fromJson(json))).toEqual(json)
      }),
    )
  })

  test('an object is an alist with string keys', () => {
    expect(fromJson(parseJson('{"a": [1, null]}'))).toEqual(list([new Pair('a', list([1, intern('null')]))]))
  })

  const circular = new Pair(1, NIL)
  circular.cdr = circular
  for (const [name, value, want] of [
    ['a symbol as key', list([new Pair(intern('a'), 1)]), 'value: a key must be a string, got the symbol a'],
    ['a key given twice', list([new Pair('a', 1), new Pair('a', 2)]), 'value: "a" is given twice'],
    ['NaN', new Flonum(NaN), 'value must be finite, got +nan.0'],
    ['a lone surrogate', '\ud800', 'value holds half a character (a lone surrogate)'],
    ['an improper list', new Pair(1, 2), 'value must be a proper list, got one that ends in 2'],
    ['circular data', circular, 'value is circular'],
    ['a symbol', intern('a'), 'value cannot be JSON, got a'],
  ] as [string, Value, string][]) {
    test(`${name} is refused`, () => {
      expect(message(() => toJson(value))).toBe(want)
    })
  }

  const edits: Param = {
    name: 'edits',
    doc: '',
    type: 'list',
    role: 'plain',
    items: [{ name: 'new', doc: '', type: 'string', role: 'payload' }],
  }

  test('a field carries the labels of the list and of the element around it', () => {
    const value = label(list([list([new Pair('new', 'a')]), label(list([new Pair('new', label('b', ['secret:x']))]), ['untrusted:y'])]), ['untrusted:z'])
    const labels = new Map<string, ReadonlySet<string>>()
    toArgument(value, edits, labels)
    expect([...labels.get('edits[0].new')!]).toEqual(['untrusted:z'])
    expect([...labels.get('edits[1].new')!].sort()).toEqual(['secret:x', 'untrusted:y', 'untrusted:z'])
  })

  test('a labelled key or tail labels what it leads to', () => {
    const labels = new Map<string, ReadonlySet<string>>()
    const tail = new Labelled(list([list([new Pair('new', 'b')])]), new Set(['untrusted:t']))
    toArgument(new Pair(list([new Pair(label('new', ['untrusted:k']), 'a')]), tail), edits, labels)
    expect([...labels.get('edits[0].new')!]).toEqual(['untrusted:k'])
    expect([...labels.get('edits[1].new')!]).toEqual(['untrusted:t'])
  })
})
