// Credentials on their way: in an argument, and in what a file would hold after the call. What a file
// held before counts for nothing, so that taking a key away, or editing beside one, passes.

import { ToolError } from '../tool/prim.ts'
import { changesFiles, finding, shown, type ChangeCheck, type Check, type Judging } from './check.ts'
import { risen, scan } from './scan.ts'
import type { RoleUse } from './role.ts'
import type { Token } from './token.ts'

export const checkSecret: Check = async (use, judging) => {
  const tokens = await scan(use.text)
  if (tokens.length === 0) return []
  const leaves = use.role === 'url' || use.role === 'sent' || use.role === 'command' || use.role === 'ref'
  if (leaves) return [finding('secret', 'deny', use, `${use.place} holds what looks like ${tokens[0]!.kind}, which must not leave this machine`)]
  const added = use.role === 'payload' ? await notYetThere(tokens, judging) : tokens
  const token = added[0]
  return token ? [finding('secret', 'security confirm', use, puts(use, token, judging))] : []
}

/** An edit beside a key holds the key: one that the file has is judged by what the file has afterwards. */
async function notYetThere(tokens: Token[], { call, uses, workspace }: Judging): Promise<Token[]> {
  const paths = uses.filter(({ role }) => role === 'path')
  if (!call.prim.plan || !changesFiles(call) || paths.length !== 1) return tokens
  try {
    const { bytes } = await workspace.read(paths[0]!.text)
    const there = new Set((await scan(new TextDecoder().decode(bytes))).map(({ value }) => value))
    return tokens.filter(({ value }) => !there.has(value))
  } catch (error) {
    if (error instanceof ToolError) return tokens
    throw error
  }
}

function puts(use: RoleUse, { kind, value }: Token, { uses }: Judging): string {
  const path = use.role === 'payload' ? uses.find(({ role }) => role === 'path') : undefined
  const at = use.text.indexOf(value)
  const line = at < 0 || !use.text.includes('\n') ? '' : `, line ${lineOf(use.text, at)} of it`
  return `${use.place} ${path ? `puts what looks like ${kind} into ${shown(path.text)}` : `holds what looks like ${kind}`}${line}`
}

export const checkSecretChange: ChangeCheck = async (change, { uses }) => {
  if (change.after === null) return []
  const decoder = new TextDecoder()
  const after = decoder.decode(change.after)
  const token = (await risen(change.before ? decoder.decode(change.before) : '', after))[0]
  if (!token) return []
  const at = after.lastIndexOf(token.value)
  const line = at < 0 ? '' : `, line ${lineOf(after, at)}`
  const use = uses.find(({ role, text }) => role === 'payload' && text.includes(token.value)) ?? uses.find(({ role }) => role === 'payload') ?? null
  const place = use?.text.includes(token.value) ? use.place : 'the change'
  return [finding('secret', 'security confirm', use, `${place} puts what looks like ${token.kind} into ${shown(change.given)}${line}`)]
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}
