// An address that something is fetched from or sent to: how it is spelled, and whether it leads to this
// machine or its neighbours. What its name resolves to is checked where the connection is made.

import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import { hostOf, isPublicAddress } from '../tool/address.ts'
import { finding, shown, type Check, type Judging } from './check.ts'
import type { RoleUse } from './role.ts'
import type { Finding } from './verdict.ts'

const UNSEEN = /[\s\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u

export const checkUrl: Check = (use, { policy }) => {
  const { text } = use
  if (UNSEEN.test(text)) return [finding('url', 'deny', use, `${shown(text)} holds characters that programs read differently`)]
  const url = urlOf(text)
  // The name of a remote, which the repository's settings resolve.
  if (url === null) return []
  if (url.username !== '' || url.password !== '') return [finding('url', 'deny', use, `${use.place} holds a user name or password`)]
  const host = hostOf(url)
  const findings = [...checkAddress(host, use), ...checkName(host, use)]
  if (policy.net && !policy.net.some((allowed) => matchesHost(allowed, host))) findings.push(finding('network', 'deny', use, `${shown(host)} is not among the hosts that may be reached`))
  return findings
}

function checkAddress(host: string, use: RoleUse): Finding[] {
  const isLocal = isIP(host) !== 0 ? !isPublicAddress(host) : /(^|\.)(localhost|local|internal|localdomain|home\.arpa)$/.test(host) || !host.includes('.')
  return isLocal ? [finding('network', 'deny', use, `${shown(host)} is this machine, or one of its own network`)] : []
}

/** Letters of other scripts that look like Latin ones. */
const LOOK_LATIN = /^[\u0430\u0435\u043e\u0440\u0441\u0445\u0443\u0456\u0458\u0455\u04bb\u051b\u0501\u03bf\u03b1\u03bd\u03c1\u0261\u0131]+$/u

/** A name in another script may be read as one that it is not. */
function checkName(host: string, use: RoleUse): Finding[] {
  const odd = host.split('.').find((label) => label.startsWith('xn--') && misleads(domainToUnicode(label)))
  return odd === undefined ? [] : [finding('url', 'security confirm', use, `the host is ${host}, which reads as ${shown(domainToUnicode(host))}: its letters are of several scripts, or look like Latin ones`)]
}

function misleads(label: string): boolean {
  const letters = label.replace(/[^\p{L}]/gu, '')
  const isMixed = /\p{Script=Latin}/u.test(letters) && /[^\p{Script=Latin}]/u.test(letters)
  return isMixed || LOOK_LATIN.test(letters) || label === ''
}

/** Null for what is no address with a host. */
export function urlOf(text: string): URL | null {
  try {
    const url = new URL(text)
    return url.hostname === '' ? null : url
  } catch {
    return null
  }
}

/** Label by label; `*.` before a host means what is below it, and not itself. */
export function matchesHost(pattern: string, host: string): boolean {
  const plain = pattern.toLowerCase().replace(/\.$/, '')
  return plain.startsWith('*.') ? host.endsWith(plain.slice(1)) && host.length > plain.length - 1 : host === plain
}

/** Whether a grant for `pattern`, which may end in *, is one for this tool. */
export function isNamed(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

/** Whether a standing approval, or the list of hosts, names the host of this address. */
export function isGrantedHost(text: string, { call, policy }: Pick<Judging, 'call' | 'policy'>): boolean {
  const url = urlOf(text)
  if (url === null) return false
  const host = hostOf(url)
  return policy.grants.some((grant) => grant.kind === 'network' && isNamed(grant.tool, call.prim.name) && matchesHost(grant.host, host))
}
