// fs-edit (ADR 0038): one or several replacements in one file, all or none. It plans one change; the
// text after it comes from applyEdits alone, whoever looks at it.

import type { Edit, EditFailure } from './apply-edit.ts'
import { applyEdits } from './apply-edits.ts'
import { describeFailure } from './edit-hint.ts'
import { hasLoneSurrogate, type Json, type JsonObject } from './json.ts'
import type { Arguments, Plan, Prim } from './prim.ts'
import { decodeText } from './text.ts'
import { ToolError, type ToolErrorKind } from './tool-error.ts'

const ONE_FORM = 'give either old and new (with replace_all) or edits, not both; replace_all goes inside each edit'
const MOST_BYTES = 50_000_000

export const fsEdit: Prim = {
  name: 'fs-edit',
  doc: 'Replaces text in one file. old must match the file exactly, with its indentation, and occur once, or replace_all must be true. Several changes to one file: one call with edits, a list that is applied in order, all or none; each edit sees the text that the one before left.',
  readOnly: false,
  effect: 'write',
  forms: ['path old new [replace_all]', 'path "" "" #f edits'],
  params: [
    { name: 'path', type: 'string', role: 'path', doc: 'The file, relative to the workspace.' },
    { name: 'old', type: 'string', role: 'plain', optional: true, doc: 'The text to replace, exactly as it stands in the file, without line numbers.' },
    { name: 'new', type: 'string', role: 'payload', optional: true, doc: 'The text to put in its place; empty to delete it.' },
    { name: 'replace_all', type: 'boolean', role: 'plain', optional: true, doc: 'Replaces every occurrence of old.' },
    {
      name: 'edits',
      type: 'list',
      role: 'plain',
      optional: true,
      doc: 'Several edits of the file, applied in order, instead of old and new.',
      items: [
        { name: 'old', type: 'string', role: 'plain', doc: 'The text to replace, as the edits before this one leave it.' },
        { name: 'new', type: 'string', role: 'payload', doc: 'The text to put in its place; empty to delete it.' },
        { name: 'replace_all', type: 'boolean', role: 'plain', optional: true, doc: 'Replaces every occurrence of old.' },
      ],
    },
  ],

  async plan(args, { workspace }): Promise<Plan> {
    const edits = editsOf(args)
    const { target, bytes } = await workspace.read(args.get('path') as string)
    if (bytes.length > MOST_BYTES) throw new ToolError('other', `${target.given} is too large to edit: ${bytes.length} bytes, the most is ${MOST_BYTES}`)
    const before = decodeText(bytes, target.given)
    const after = editedText(before, edits, target.given)
    const change = { path: target.real, given: target.given, before: bytes, after: new TextEncoder().encode(after) }
    return { changes: [change], result: { text: success(edits, target.given) }, edits: edits.list.length }
  },
}

/** The edits of a call; a single one and a list fail in other words. */
interface Edits {
  list: Edit[]
  isList: boolean
}

function editsOf(args: Arguments): Edits {
  const old = args.get('old') as string | undefined
  const replaced = args.get('new') as string | undefined
  const all = args.get('replace_all') === true
  const edits = args.get('edits') as JsonObject[] | undefined
  if (edits !== undefined) {
    if (old || replaced || all) throw contract(ONE_FORM)
    if (edits.length === 0) throw contract('edits is empty; give at least one edit with old and new')
    return { isList: true, list: edits.map((edit, i) => check(editOf(edit), edits.length, i)) }
  }
  if (old === undefined && replaced === undefined) throw contract(ONE_FORM)
  if (old === undefined) throw contract('old is missing')
  if (replaced === undefined) throw contract('new is missing; give "" to delete the text')
  return { isList: false, list: [check({ old, new: replaced, replaceAll: all })] }
}

function editOf(edit: JsonObject): Edit {
  const all: Json | undefined = edit.get('replace_all')
  return { old: edit.get('old') as string, new: edit.get('new') as string, replaceAll: all === true }
}

function check(edit: Edit, of?: number, index?: number): Edit {
  for (const name of ['old', 'new'] as const) {
    if (!hasLoneSurrogate(edit[name])) continue
    const place = index === undefined ? '' : `edit ${index + 1} of ${of}: `
    throw contract(`${place}${name} holds half a character (a lone surrogate)`)
  }
  return edit
}

function contract(message: string): ToolError {
  return new ToolError('contract', message, { help: 'the form is (fs-edit path old new [replace_all]) or (fs-edit path "" "" #f edits)' })
}

function editedText(before: string, { list, isList }: Edits, path: string): string {
  const { text, failures } = applyEdits(before, list)
  if (failures.length > 0) {
    const describe = ({ index, failure, text: tried }: (typeof failures)[number]): string => {
      const message = describeFailure(failure, { path, text: tried, edit: list[index]!, original: before, earlier: list.slice(0, index) })
      return isList ? `edit ${index + 1} of ${list.length} failed, so nothing was written: ${message}` : message
    }
    const first = failures[0]!
    const where = isList ? { edit: first.index + 1, of: list.length } : {}
    throw new ToolError(KINDS[first.failure.kind], bounded(failures, describe), where)
  }
  if (text === before) throw new ToolError('contract', `the edit${isList ? 's' : ''} together change nothing in ${path}`)
  return text
}

const KINDS: { [kind in EditFailure['kind']]: ToolErrorKind } = {
  'empty-old': 'contract',
  identical: 'contract',
  'not-found': 'not-found',
  'not-unique': 'not-unique',
}

/** All that failed, in under 2,000 characters: the first in full, the others as far as they fit. */
function bounded<T>([first, ...rest]: T[], describe: (failure: T) => string): string {
  let text = describe(first!)
  for (const [i, failure] of rest.entries()) {
    const left = rest.length - i
    const short = text.length > MOST_TOLD ? '' : describe(failure).replace(' failed, so nothing was written', '')
    if (short === '' || text.length + short.length + 1 > MOST_TOLD) return `${text}\nand ${left} more edit${left === 1 ? '' : 's'} failed`
    text += `\n${short}`
  }
  return text
}

const MOST_TOLD = 1900

function success({ list, isList }: Edits, path: string): string {
  return isList ? `${path}: ${list.length} edit${list.length === 1 ? '' : 's'} applied` : `${path}: edited`
}
