// A text for a server whose use of it nobody declared: each address in it is judged as one that is sent
// to, and a text that names recipients and nothing else says who gets the rest.

import { checkDeniedHost } from './check-denylist.ts'
import { finding, shown, type Check, type Judging } from './check.ts'
import { checkUrl, isNamed, matchesHost } from './check-url.ts'

const ADDRESS = /[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`]+/gi
/** As people write them: `a@b.example`, `Ann <a@b.example>`. */
const RECIPIENT = /^(?:[^<>@]*<)?([^\s<>@,;]+@[^\s<>@,;]+)>?$/

export const checkSent: Check = async (use, judging) => {
  const findings = []
  for (const [address] of use.text.matchAll(ADDRESS))
    for (const check of [checkUrl, checkDeniedHost]) findings.push(...(await check({ ...use, text: address }, judging)))
  for (const recipient of recipientsIn(use.text)) {
    const host = recipient.slice(recipient.lastIndexOf('@') + 1)
    findings.push(...(await checkDeniedHost({ ...use, text: `mailto://${host}` }, judging)))
    if (!isGranted(recipient, host, judging)) findings.push(finding('recipient', 'security confirm', use, `${use.place} names ${shown(recipient)}, who would get what is sent`))
  }
  return findings
}

/** None where the text says anything else. */
function recipientsIn(text: string): string[] {
  const pieces = text.split(/[,;\n]/).map((piece) => piece.trim()).filter(Boolean)
  const recipients = pieces.map((piece) => RECIPIENT.exec(piece)?.[1])
  return recipients.every((one) => one !== undefined) ? recipients : []
}

/** Whether any call of this tool was approved. */
export function isGrantedTool({ call, policy }: Pick<Judging, 'call' | 'policy'>): boolean {
  return policy.grants.some((grant) => grant.kind === 'tool' && isNamed(grant.tool, call.prim.name))
}

/** The whole address, or all of its host. */
function isGranted(recipient: string, host: string, { call, policy }: Judging): boolean {
  return policy.grants.some((grant) => grant.kind === 'network' && isNamed(grant.tool, call.prim.name) && (grant.host.includes('@') ? grant.host === recipient : matchesHost(grant.host, host.toLowerCase())))
}
