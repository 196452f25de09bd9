// A Prim to the tool as a model sees it: name, description, and a JSON schema of its arguments. The same
// Prim gives the same bytes, so that a provider's prompt cache holds.

import { toPlain } from './json.ts'
import type { Param, Prim } from './prim.ts'

export interface ToolSchema {
  name: string
  description: string
  parameters: object
}

export function toolSchema(prim: Prim): ToolSchema {
  return { name: prim.name, description: prim.doc, parameters: prim.schema ?? objectSchema(prim.params) }
}

function objectSchema(params: Param[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(params.map((param) => [param.name, paramSchema(param)])),
    required: params.filter((param) => !param.optional).map((param) => param.name),
    additionalProperties: false,
  }
}

const TYPES: { [type in Param['type']]: object } = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  list: { type: 'array' },
  object: { type: 'object' },
  any: {},
}

function paramSchema(param: Param): object {
  const schema: { [key: string]: unknown } = { ...TYPES[param.type], description: param.doc }
  if (param.choices) schema['enum'] = param.choices
  if (param.default !== undefined) schema['default'] = toPlain(param.default)
  if (param.type === 'list') schema['items'] = param.items ? objectSchema(param.items) : { type: 'string' }
  return schema
}
