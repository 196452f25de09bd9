// Where a labelled value may go: the labels of an argument to what its role allows.

import { ToolError } from '../tool/prim.ts'
import { changesFiles, finding, shown, type Check, type Judging } from './check.ts'
import { usesNetwork } from './check-command.ts'
import { classify } from './protected-name.ts'
import { labelsOfKind } from './role.ts'

/** Payloads and messages, which stay on this machine. */
export const checkPayloadLabel: Check = async (use, judging) => {
  const findings = []
  const secret = labelsOfKind(use, 'secret')[0]
  if (secret !== undefined) findings.push(finding('secret label', 'security confirm', use, `${use.place} carries ${shown(secret)}`))
  const untrusted = labelsOfKind(use, 'untrusted')[0]
  if (untrusted !== undefined) {
    const verdict = (await goesToProtected(judging)) ? 'security confirm' : 'confirm'
    findings.push(finding('untrusted label', verdict, use, `${use.place} carries ${shown(untrusted)}`))
  }
  return findings
}

/** Urls, commands and names in git, by which something leaves or runs. */
export const checkOutwardLabel: Check = (use) => {
  const findings = []
  const secret = labelsOfKind(use, 'secret')[0]
  if (secret !== undefined) {
    const leaves = use.role === 'url' || (use.role === 'command' && usesNetwork(use.text))
    findings.push(finding('secret label', leaves ? 'deny' : 'security confirm', use, `${use.place} carries ${shown(secret)}${leaves ? ', which must not leave this machine' : ''}`))
  }
  const untrusted = labelsOfKind(use, 'untrusted')[0]
  if (untrusted !== undefined) findings.push(finding('untrusted label', 'security confirm', use, `${use.place} carries ${shown(untrusted)}`))
  return findings
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
