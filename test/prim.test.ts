// Every Prim, whichever there are: what its declaration must hold, for a tool that is added too. Schemas
// and the words for wrong arguments are in bind.test.ts.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bindByName, bindByPosition, toNamed } from '../src/tool/bind.ts'
import { findPrim, prims, toolList } from '../src/tool/index.ts'
import { fromPlain } from '../src/tool/json.ts'
import type { Param } from '../src/tool/prim.ts'
import { fromJson } from '../src/tool/scheme-data.ts'

const ROLES = ['path', 'payload', 'url', 'command', 'ref', 'message', 'plain']

/** With the fields of its lists' elements. */
function allParams(params: Param[]): Param[] {
  return params.flatMap((param) => [param, ...allParams(param.items ?? [])])
}

function valueFor(param: Param): fc.Arbitrary<unknown> {
  if (param.choices) return fc.constantFrom(...param.choices)
  switch (param.type) {
    case 'string':
      return fc.string({ unit: 'grapheme' })
    case 'integer':
      return fc.integer()
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'list':
      return param.items ? fc.array(objectFor(param.items), { maxLength: 3 }) : fc.array(fc.string(), { maxLength: 3 })
    case 'object':
      return fc.dictionary(fc.string(), fc.string())
    case 'any':
      return fc.jsonValue()
  }
}

function objectFor(params: Param[]): fc.Arbitrary<{ [name: string]: unknown }> {
  const fields = Object.fromEntries(params.map((param) => [param.name, valueFor(param)]))
  return fc.record(fields, { requiredKeys: params.filter(({ optional }) => !optional).map(({ name }) => name) })
}

describe('the tools', () => {
  it('stand in a fixed order, each under its own name', () => {
    expect(prims.map(({ name }) => name)).toEqual(['fs-read', 'fs-list', 'fs-find', 'index-grep', 'outline', 'git-status', 'git-diff', 'git-log', 'git-show', 'git-blame', 'fs-write', 'fs-edit', 'fs-move', 'fs-remove', 'fs-undo', 'exec', 'git-commit', 'git-branch', 'git-push', 'net-fetch', 'ask'])
    for (const prim of prims) expect(findPrim(prim.name)).toBe(prim)
    expect(findPrim('fs-raed')).toBe(undefined)
    expect(toolList.map(({ name }) => name)).toEqual(prims.map(({ name }) => name))
  })
})

for (const prim of prims) {
  describe(prim.name, () => {
    it('is declared whole', () => {
      expect(prim.name).toMatch(/^[a-z]+(-[a-z]+)*$/)
      expect(Boolean(prim.run) !== Boolean(prim.plan)).toBe(true)
      expect(prim.readOnly).toBe(prim.effect === 'read')
      if (prim.plan) expect(prim.effect).toBe('write')
      for (const { doc, name, role } of [{ ...prim, role: 'plain' as const }, ...allParams(prim.params)]) {
        expect(doc, name).toMatch(/^[A-Z].*\.$/s)
        expect(ROLES).toContain(role)
      }
    })

    it('has its required parameters first, and each name once', () => {
      for (const params of [prim.params, ...prim.params.flatMap(({ items }) => (items ? [items] : []))]) {
        const order = params.map(({ optional }) => optional === true)
        expect(order).toEqual([...order].sort())
        expect(new Set(params.map(({ name }) => name)).size).toBe(params.length)
      }
    })

    it('takes by position what it takes by name', () => {
      fc.assert(
        fc.property(objectFor(prim.params), (given) => {
          const named = bindByName(prim, fromPlain(given))
          const byPosition = bindByPosition(prim, named.positional.map(fromJson))
          expect(byPosition.args).toEqual(named.args)
          expect(bindByName(prim, toNamed(prim, named.positional)).args).toEqual(named.args)
        }),
        { numRuns: 50 },
      )
    })
  })
}
