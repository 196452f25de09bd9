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
  return { name: prim.name, description: prim.doc, parameters: objectSchema(prim.params) }
}

function objectSchema(params: Param[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(params.map((param) => [param.name, paramSchema(param)])),
    required: params.filter((param) => !param.optional).map((param) => param.name),
    additionalProperties: false,
  }
}

function paramSchema(param: Param): object {
  const schema: { [key: string]: unknown } = { type: param.type === 'list' ? 'array' : param.type, description: param.doc }
  if (param.choices) schema['enum'] = param.choices
  if (param.default !== undefined) schema['default'] = toPlain(param.default)
  if (param.type === 'list') schema['items'] = param.items ? objectSchema(param.items) : { type: 'string' }
  return schema
}
