// A shell text to what speaks against running it: what cannot be told before it runs, programs that run
// other programs, and files it would touch. A courtesy to the person: what bounds a command is a sandbox.

import { basename } from 'node:path'
import { ToolError } from '../tool/prim.ts'
import { finding, shown, type Check, type Judging } from './check.ts'
import { isUnder } from './check-path.ts'
import { parseCommand, type Command } from './command.ts'
import { classify } from './protected-name.ts'
import type { RoleUse } from './role.ts'
import type { Finding } from './verdict.ts'

/** Programs that run what their arguments say. */
const WRAPPERS = new Set(
  'env xargs sudo doas su nohup nice ionice timeout time stdbuf setsid chroot unshare nsenter flock watch parallel entr script expect busybox eval exec source . command builtin trap ssh strace ltrace gdb socat npx bunx pnpx uvx pipx'.split(' '),
)
const SHELLS = new Set('sh bash dash zsh ksh fish ash pwsh powershell cmd'.split(' '))
const INTERPRETERS = new Set('node deno bun python python2 python3 perl ruby php lua awk gawk mawk nawk osascript tclsh'.split(' '))

/** Options of programs that otherwise only read, by which they run others or write. */
const RUNNING_OPTIONS: Record<string, RegExp> = {
  find: /^-(exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/,
  fd: /^(-x|-X|--exec|--exec-batch)/,
  rg: /^--(pre|hostname-bin)(=|$)/,
  sort: /^(--compress-program|-o|--output|-T)/,
  tar: /^(--to-command|--checkpoint-action|-I|--use-compress-program|--rsh-command|-F|--info-script)/,
  sed: /^(-i|--in-place|-f|--file)|(^|[;\s}/\dgpI])[eEwW](\s|$)/,
  git: /^(--upload-pack|--receive-pack|--exec|--ext-diff|--textconv|--open-files-in-pager|-O|--output|--extcmd|-x|-u$)/,
  man: /^(-P|--pager|-H|--html)/,
  less: /^(\+|-o|-O)/,
  vim: /^(-c|--cmd|\+|-S)/,
  vi: /^(-c|--cmd|\+|-S)/,
  rsync: /^(-e|--rsh|--rsync-path)/,
  make: /^(-f|--file|--makefile|-C|--eval)/,
}
/** Of git, before its subcommand. */
const GIT_GLOBAL = /^(-c|-C|-p|--paginate|--exec-path|--config-env|--git-dir|--work-tree|--namespace|--super-prefix)/

const NETWORK = /(^|[\s/;|&("'`])(curl|wget|dig|nslookup|host|drill|ping6?|traceroute|nc|ncat|netcat|socat|ssh|scp|sftp|rsync|ftp|telnet|whois|mail|sendmail|aws|gcloud|gsutil|az|gh|glab|kubectl|docker|podman|http|https|xh|openssl|npm|pnpm|yarn|pip3?|cargo)(?=$|[\s;|&)"'`])|\bgit\b[^;|&\n]*\b(push|fetch|pull|clone|ls-remote|send-email|request-pull|submodule)\b|\/dev\/(tcp|udp)\//

export function usesNetwork(text: string): boolean {
  return NETWORK.test(text)
}

export const checkCommand: Check = async (use, judging) => {
  const commands = parseCommand(use.text)
  if (commands === null) return [finding('command', 'security confirm', use, 'what this command runs cannot be told before a shell expands it')]
  const findings = commands.flatMap((command) => {
    const reason = whyNotPlain(command)
    return reason === null ? [] : [finding('command', 'security confirm', use, reason)]
  })
  if (/(^|\s)#[^\n]*\n\s*[^\s#]/.test(use.text) && commands.length > 1) findings.push(finding('command', 'security confirm', use, 'a comment stands before more commands'))
  for (const command of commands) findings.push(...(await checkFiles(command, use, judging)))
  return findings
}

/** Plain words of a program that runs no other: what a grant may cover. */
export function isPlainCommand(command: Command): boolean {
  return !command.expands && whyNotPlain(command) === null && command.redirects.every(({ operator, target }) => isHarmless(operator, target))
}

function isHarmless(operator: string, target: string): boolean {
  return target === '/dev/null' || (/[<>]&$/.test(operator) && /^(\d+|-)$/.test(target))
}

function whyNotPlain({ words }: Command): string | null {
  const [program = '', ...args] = words
  const name = basename(program)
  if (WRAPPERS.has(name)) return name === 'env' && args.length === 0 ? 'env shows every variable of the environment' : `${shown(name)} runs what its arguments say`
  if (SHELLS.has(name) && args.some((arg) => /^-\w*c/.test(arg))) return `${shown(name)} runs the text in its arguments`
  if (INTERPRETERS.has(name) && args.some((arg) => /^(-\w*[ecrRp]|--eval|--print|--require|--import)$/.test(arg))) return `${shown(name)} runs the text in its arguments`
  if (name === 'git') {
    const subcommand = args.findIndex((arg) => !arg.startsWith('-'))
    const before = args.slice(0, subcommand < 0 ? args.length : subcommand).find((arg) => GIT_GLOBAL.test(arg))
    if (before !== undefined) return `git ${shown(before)} can run another program`
  }
  const option = Object.hasOwn(RUNNING_OPTIONS, name) ? args.find((arg) => RUNNING_OPTIONS[name]!.test(arg)) : undefined
  return option === undefined ? null : `${shown(name)} ${shown(option)} can run another program or write files`
}

/** Files that the words of a command name, as far as they look like files. */
async function checkFiles({ words, redirects }: Command, use: RoleUse, { workspace, own }: Judging): Promise<Finding[]> {
  const written = redirects.filter(({ operator, target }) => operator.includes('>') && !isHarmless(operator, target)).map(({ target }) => target)
  const outputs = words.flatMap((word) => /^--?(?:output|o|out|file)=(.+)$/.exec(word)?.[1] ?? [])
  const named = [...words.slice(1).map((word) => word.replace(/^--?[\w-]+=|^[\w]+=|^@/, '')), ...redirects.map(({ target }) => target)]
  const findings: Finding[] = []
  for (const path of [...written, ...outputs]) findings.push(...(await judgeFile(path, true, use, workspace, own)))
  for (const path of named) findings.push(...(await judgeFile(path, false, use, workspace, own)))
  return findings
}

async function judgeFile(path: string, isWritten: boolean, use: RoleUse, workspace: Judging['workspace'], own: Judging['own']): Promise<Finding[]> {
  if (path === '' || path.includes('\0') || path === '/dev/null' || /^\w+:\/\//.test(path)) return []
  const protection = classify(path)
  const target = await workspace.resolve(path).catch((error: unknown) => {
    if (error instanceof ToolError) return null
    throw error
  })
  const isOwn = target !== null && own.some((folder) => isUnder(folder, target.real))
  if (isOwn || (isWritten && (protection === 'deny' || protection === 'deny write'))) return [finding('protected path', 'deny', use, `the command touches ${shown(path)}, which is protected`)]
  if (isWritten && target?.relative === null) return [finding('pin', 'deny', use, `${shown(path)} lies outside the workspace ${workspace.root}`)]
  if (path.startsWith('~') && protection !== null) return [finding('pin', 'deny', use, `${shown(path)} lies outside the workspace ${workspace.root}`)]
  if (protection === 'deny' || protection === 'secret' || (isWritten && protection === 'guarded')) return [finding('protected path', 'security confirm', use, `the command names ${shown(path)}, which is protected`)]
  return []
}
