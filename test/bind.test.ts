// Arguments to a checked record, through both doors, and every Prim's declaration.

import { describe, expect, test } from 'vitest'
import { bindByName, bindByPosition, forms, toNamed } from '../src/tool/bind.ts'
import { positionalForm } from '../src/tool/form.ts'
import { findPrim, prims } from '../src/tool/index.ts'
import { fromPlain, parseJson, toPlain, writeJson } from '../src/tool/json.ts'
import { ToolError, type Param, type Prim } from '../src/tool/prim.ts'
import { fromJson } from '../src/tool/scheme-data.ts'
import { toolSchema } from '../src/tool/schema.ts'
import { readSource } from '../src/engine/reader.ts'

const ROLES = ['path', 'payload', 'url', 'command', 'ref', 'message', 'plain']
const edit = findPrim('fs-edit')!

/** Binds by name, and checks that its positional form binds to the same by position, as data and as
 * text that is read back. */
function named(prim: Prim, json: string): { [name: string]: unknown } {
  const bound = bindByName(prim, parseJson(json))
  expect(bindByPosition(prim, bound.positional.map(fromJson)).args).toEqual(bound.args)
  const form = readSource(positionalForm(prim, bound.args), 'form').data
  expect(form).toHaveLength(1)
  expect(bindByName(prim, toNamed(prim, bound.positional)).args).toEqual(bound.args)
  return Object.fromEntries([...bound.args].map(([name, value]) => [name, toPlain(value)]))
}

function refusal(step: () => unknown): string {
  try {
    step()
  } catch (error) {
    if (error instanceof ToolError) return `${error.kind}: ${error.message} | ${error.help}`
    throw error
  }
  return 'bound'
}

const FORM = 'the form is (fs-edit path old new [replace_all])'

describe('a model’s object becomes a positional call', () => {
  test('options left out at the end stay out', () => {
    expect(named(edit, '{"path": "a", "old": "x", "new": "y"}')).toEqual({ path: 'a', old: 'x', new: 'y' })
  })
  test('options skipped before one that is given get their empty values', () => {
    expect(named(edit, '{"path": "a", "edits": [{"old": "x", "new": "y"}]}')).toEqual({
      path: 'a',
      old: '',
      new: '',
      replace_all: false,
      edits: [{ old: 'x', new: 'y' }],
    })
    expect(named(edit, '{"path": "a", "old": "x", "replace_all": true}')).toEqual({ path: 'a', old: 'x', new: '', replace_all: true })
  })
  test('an option with a default gets it', () => {
    expect(named(findPrim('fs-list')!, '{"path": "."}')).toEqual({ path: '.', depth: 1 })
  })
  test('the form is what Scheme reads', () => {
    const { args } = bindByName(edit, parseJson('{"path": "Makefile", "edits": [{"old": "a\\"", "new": "b"}]}'))
    expect(positionalForm(edit, args)).toBe('(fs-edit "Makefile" "" "" #f ((("old" . "a\\"") ("new" . "b"))))')
  })
})

describe('what models get wrong and what is meant', () => {
  for (const [what, json] of [
    ['a list as JSON text', '{"path": "a", "edits": "[{\\"old\\": \\"x\\", \\"new\\": \\"y\\"}]"}'],
    ['one object for a list of one', '{"path": "a", "edits": {"old": "x", "new": "y"}}'],
    ['both', '{"path": "a", "edits": "{\\"old\\": \\"x\\", \\"new\\": \\"y\\"}"}'],
    ['null for an option left out', '{"path": "a", "old": null, "new": null, "replace_all": null, "edits": [{"old": "x", "new": "y", "replace_all": null}]}'],
  ] as const) {
    test(`${what} is taken`, () => {
      expect(named(edit, json)['edits']).toEqual([{ old: 'x', new: 'y' }])
    })
  }
  test('"true" is taken for true', () => {
    expect(named(edit, '{"path": "a", "old": "x", "new": "y", "replace_all": "true"}')['replace_all']).toBe(true)
  })
})

describe('what is refused', () => {
  for (const [json, want] of [
    ['{"old": "x", "new": "y"}', `contract: missing argument path | ${FORM}`],
    ['{"path": 3}', `contract: path must be a string, got 3 | ${FORM}`],
    ['{"path": "a", "old": {"text": "x"}, "new": "y"}', `contract: old must be a string, got {"text":"x"} | ${FORM}`],
    ['{"path": "a", "old": "x", "new": "y", "replace_all": 1}', `contract: replace_all must be true or false, got 1 | ${FORM}`],
    ['{"path": "a", "edits": 3}', `contract: edits must be a list, got 3 | ${FORM}`],
    ['{"path": "a", "edits": "[{bad"}', `contract: edits must be a list, got a string that is not valid JSON (line 1, column 3: expected a key in double quotes, got "bad") | ${FORM}`],
    ['{"path": "a", "edits": ["x"]}', `contract: edit 1 of 1 must be an object, got "x" | ${FORM}`],
    ['{"path": "a", "edits": [{"old": "x", "new": "y"}, {"old": "x"}]}', `contract: edit 2 of 2: new is missing | ${FORM}`],
    ['{"path": "a", "edits": [{"old": 1, "new": "y"}]}', `contract: edit 1 of 1: old must be a string, got 1 | ${FORM}`],
    ['{"path": "a", "edits": [{"oldText": "x", "new": "y"}]}', 'contract: edit 1 of 1: unknown field oldText (did you mean old) | the fields are old, new, replace_all'],
    [
      '{"file": "a", "old_string": "x", "why": "y"}',
      'contract: unknown parameters file, old_string (did you mean old), why | the parameters are path, old, new, replace_all, edits',
    ],
    ['["a"]', `contract: the arguments must be an object, got ["a"] | ${FORM}`],
  ] as const) {
    test(json, () => {
      expect(refusal(() => bindByName(edit, parseJson(json)))).toBe(want)
    })
  }
  test('too many by position', () => {
    expect(refusal(() => bindByPosition(findPrim('fs-read')!, ['a', 1, 2, 3]))).toBe('contract: expected at most 3 arguments, got 4 | the form is (fs-read path [offset] [limit])')
  })
})

describe('every Prim', () => {
  const params = (prim: Prim): Param[] => prim.params.flatMap((param) => [param, ...(param.items ?? [])])
  for (const prim of prims) {
    test(`${prim.name} is declared whole`, () => {
      for (const { doc } of [prim, ...params(prim)]) expect(doc).toMatch(/^[A-Z].*\.$/s)
      for (const { role } of params(prim)) expect(ROLES).toContain(role)
      const optional = prim.params.map((param) => param.optional === true)
      expect(optional.lastIndexOf(false)).toBeLessThan(optional.includes(true) ? optional.indexOf(true) : Infinity)
      expect([prim.run, prim.plan].filter(Boolean)).toHaveLength(1)
      if (prim.readOnly) expect(prim.effect).toBe('read')
      for (const form of forms(prim))
        for (const word of form.slice(1, -1).split(' ').slice(1)) {
          const name = word.replace(/[[\]]/g, '')
          if (/^[a-z]/.test(name)) expect(prim.params.map((param) => param.name)).toContain(name)
        }
    })

    test(`${prim.name} has a schema that names its parameters`, () => {
      const { parameters } = toolSchema(prim) as { parameters: { properties: object; required: string[]; additionalProperties: boolean } }
      expect(Object.keys(parameters.properties)).toEqual(prim.params.map((param) => param.name))
      expect(parameters.required).toEqual(prim.params.filter((param) => !param.optional).map((param) => param.name))
      expect(JSON.stringify(toolSchema(prim))).toBe(JSON.stringify(toolSchema(prim)))
    })

    test(`${prim.name} refuses each wrong type in the parameter’s name`, () => {
      const right: { [type: string]: unknown } = { string: 's', integer: 1, number: 1, boolean: true, list: [], object: {} }
      const wrong: { [type: string]: unknown } = { string: 1, integer: 'x', number: 'x', boolean: 'x', list: 1, object: 1 }
      for (const param of prim.params) {
        const given = Object.fromEntries(prim.params.filter((other) => !other.optional || other === param).map((other) => [other.name, (other === param ? wrong : right)[other.type]]))
        expect(refusal(() => bindByName(prim, fromPlain(given)))).toContain(`contract: ${param.name} must be `)
      }
    })
  }

  test('the schema of fs-edit gives the list an items schema', () => {
    const { parameters } = toolSchema(edit) as { parameters: { properties: { [name: string]: object } } }
    expect(writeJson(fromPlain(parameters.properties['edits']))).toBe(
      '{"type":"array","description":"Several edits of the file, applied in order, instead of old and new.","items":{"type":"object","properties":{"old":{"type":"string","description":"The text to replace, as the edits before this one leave it."},"new":{"type":"string","description":"The text to put in its place; empty to delete it."},"replace_all":{"type":"boolean","description":"Replaces every occurrence of old."}},"required":["old","new"],"additionalProperties":false}}',
    )
  })
})
