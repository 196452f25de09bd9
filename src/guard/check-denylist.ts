// The denylist: path globs, hosts and commands that nothing touches, reading included. Rules are compared
// one by one with what an argument names, and never looked up as keys.

import { basename, relative, sep } from 'node:path'
import { ToolError } from '../tool/prim.ts'
import { finding, shown, type Check } from './check.ts'
import { isUnder } from './check-path.ts'
import { matchesGlob } from './check-protected.ts'
import { parseCommand } from './command.ts'
import type { RoleUse } from './role.ts'
import type { Finding } from './verdict.ts'

export const checkDeniedPath: Check = async (use, { policy, workspace }) => {
  if (policy.denylist.length === 0) return []
  try {
    const { lexical, real } = await workspace.resolve(use.text)
    const names = [lexical, real].map((path) => (isUnder(workspace.root, path) ? relative(workspace.root, path).split(sep).join('/') : path))
    return deny(use, policy.denylist, (rule) => names.some((name) => matchesGlob(rule, name)))
  } catch (error) {
    if (error instanceof ToolError) return [] // the pin denies it
    throw error
  }
}

export const checkDeniedCommand: Check = (use, { policy }) => {
  const commands = parseCommand(use.text)
  const words = commands ? commands.flatMap((command) => [...command.words, ...command.redirects.map(({ target }) => target)]) : use.text.split(/[\s;|&<>()$`'"{}]+/)
  const texts = words.flatMap((word) => [word, word.replace(/^--?[\w-]+=/, '')]).filter((word) => word !== '')
  return deny(use, policy.denylist, (rule) =>
    texts.some((text) => text === rule || basename(text) === rule || matchesHost(rule, hostOf(text)) || (looksLikePath(rule) && matchesGlob(rule, text.replace(/^\.\//, '')))),
  )
}

export const checkDeniedHost: Check = (use, { policy }) => {
  const host = hostOf(use.text)
  return deny(use, policy.denylist, (rule) => matchesHost(rule, host))
}

function deny(use: RoleUse, rules: string[], matches: (rule: string) => boolean): Finding[] {
  const rule = rules.find(matches)
  return rule === undefined ? [] : [finding('denylist', 'deny', use, `${shown(use.role === 'command' ? 'the command' : use.text)} is on the denylist (${shown(rule)})`)]
}

function looksLikePath(rule: string): boolean {
  return /[/*.]/.test(rule)
}

function hostOf(text: string): string | null {
  try {
    return new URL(text).hostname.replace(/\.$/, '').toLowerCase()
  } catch {
    return null
  }
}

/** A host forbids its subdomains too; `*.` before it changes nothing. */
function matchesHost(rule: string, host: string | null): boolean {
  const plain = rule.toLowerCase().replace(/^\*\./, '').replace(/\.$/, '')
  return host !== null && host !== '' && (host === plain || host.endsWith(`.${plain}`))
}
