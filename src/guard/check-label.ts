// Where a labelled value may go: the labels of an argument to what its role allows.

import { ToolError } from '../tool/prim.ts'
import { changesFiles, finding, shown, type Check, type Judging } from './check.ts'
import { looksUpNames, usesNetwork } from './check-command.ts'
import { classify } from './protected-name.ts'
import { isGrantedTool } from './check-sent.ts'
import { isGrantedHost } from './check-url.ts'
import { labelsOfKind, type RoleUse } from './role.ts'

/** Payloads and messages, which stay on this machine. */
export const checkPayloadLabel: Check = async (use, judging) => {
  const findings = []
  const secret = labelsOfKind(use, 'secret')[0]
  // A name that is looked up has no other use than to be read by whoever serves it.
  const grave = use.role === 'command' && looksUpNames(use.text) ? 'deny' : 'security confirm'
  if (secret !== undefined) findings.push(finding('secret label', grave, use, `${use.place} carries ${shown(secret)}`))
  const untrusted = labelsOfKind(use, 'untrusted')[0]
  if (untrusted !== undefined) {
    const verdict = (await goesToProtected(judging)) ? 'security confirm' : 'confirm'
    findings.push(finding('untrusted label', verdict, use, `${use.place} carries ${shown(untrusted)}`))
  }
  return findings
}

/** Urls, commands and names in git, by which something leaves or runs. */
export const checkOutwardLabel: Check = (use, judging) => {
  const findings = []
  const secret = labelsOfKind(use, 'secret')[0]
  // A name that is looked up has no other use than to be read by whoever serves it.
  const grave = use.role === 'command' && looksUpNames(use.text) ? 'deny' : 'security confirm'
  if (secret !== undefined) findings.push(finding('secret label', grave, use, `${use.place} carries ${shown(secret)}${leaves(use) ? ', and it leaves this machine' : ''}`))
  const untrusted = labelsOfKind(use, 'untrusted')[0]
  // To a host or a server's tool that was approved, a page may lead on: it is asked about, and no more.
  const isGranted = (use.role === 'url' && isGrantedHost(use.text, judging)) || (use.role === 'sent' && isGrantedTool(judging))
  const verdict = secret === undefined && isGranted ? 'confirm' : 'security confirm'
  if (untrusted !== undefined) findings.push(finding('untrusted label', verdict, use, `${use.place} carries ${shown(untrusted)}`))
  return findings
}

function leaves({ role, text }: RoleUse): boolean {
  return role === 'url' || role === 'sent' || (role === 'command' && usesNetwork(text))
}

/** A path that a page or a command's output chose: what is changed there is asked about. */
export const checkPathLabel: Check = (use, { call }) => {
  const untrusted = labelsOfKind(use, 'untrusted')[0]
  if (untrusted === undefined || !changesFiles(call)) return []
  return [finding('untrusted label', 'confirm', use, `${use.place} carries ${shown(untrusted)}`)]
}

async function goesToProtected({ call, uses, workspace }: Judging): Promise<boolean> {
  if (!changesFiles(call)) return false
  for (const { role, text } of uses) {
    if (role !== 'path') continue
    if (classify(text) !== null) return true
    const target = await workspace.resolve(text).catch((error: unknown) => {
      if (error instanceof ToolError) return null
      throw error
    })
    if (target === null || classify(target.relative ?? target.real) !== null) return true
  }
  return false
}
