// A shell text to what speaks against running it: what cannot be told before it runs, programs that run
// other programs, and files it would touch. A courtesy to the person: what bounds a command is a sandbox.

import { basename } from 'node:path'
import picomatch from 'picomatch'
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

const AWKS = new Set(['awk', 'gawk', 'mawk', 'nawk'])

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

const LOOKUP = /(^|[\s/;|&("'`])(dig|nslookup|host|drill|ping6?|traceroute|whois|getent)(?=$|[\s;|&)"'`])/

export function looksUpNames(text: string): boolean {
  return LOOKUP.test(text)
}

export function usesNetwork(text: string): boolean {
  return NETWORK.test(text)
}

/** Where nobody granted a command, each is asked about, and the reason is told. Where somebody did, what
 * could slip through under that grant is a security confirm. */
export const checkCommand: Check = async (use, judging) => {
  const verdict = judging.policy.grants.some(({ kind }) => kind === 'exec') ? 'security confirm' : 'confirm'
  const commands = parseCommand(use.text)
  if (commands === null) return [finding('command', verdict, use, 'what this command runs cannot be told before a shell expands it')]
  const findings = commands.flatMap((command) => {
    const reason = whyNotPlain(command)
    return reason === null ? [] : [finding('command', showsEnvironment(command) ? 'security confirm' : verdict, use, reason)]
  })
  if (/(^|\s)#[^\n]*\n\s*[^\s#]/.test(use.text) && commands.length > 1) findings.push(finding('command', verdict, use, 'a comment stands before more commands'))
  if (beginsApproved(commands, judging)) findings.push(finding('command', 'security confirm', use, 'the command begins with what was approved and goes on with what was not'))
  for (const command of commands) findings.push(...(await checkFiles(command, use, judging)))
  return findings
}

/** As text it would pass for the approved one. */
function beginsApproved(commands: Command[], { policy }: Judging): boolean {
  const isApproved = ({ words }: Command): boolean => policy.grants.some((grant) => grant.kind === 'exec' && grant.argv.length > 0 && grant.argv.every((word, i) => words[i] === word))
  return commands.length > 1 && isApproved(commands[0]!) && !commands.every(isApproved)
}

/** Plain words of a program that runs no other: what a grant may cover. */
export function isPlainCommand(command: Command): boolean {
  return !command.expands && whyNotPlain(command) === null && command.redirects.every(({ operator, target }) => isHarmless(operator, target))
}

function isHarmless(operator: string, target: string): boolean {
  return target === '/dev/null' || (/[<>]&$/.test(operator) && /^(\d+|-)$/.test(target))
}

/** Without arguments, or with -p, these print every variable; so does what the kernel keeps of a process. */
const LISTS_VARIABLES = new Set(['env', 'set', 'export', 'declare', 'typeset', 'readonly', 'local'])

function showsEnvironment({ words }: Pick<Command, 'words'>): boolean {
  const [program = '', ...args] = words
  const name = basename(program)
  if (name === 'printenv' || args.some((arg) => /^\/proc\/[^/]+\/environ$/.test(arg))) return true
  return LISTS_VARIABLES.has(name) && args.every((arg) => /^-[pxf]+$/.test(arg))
}

/** Variables by which a program runs or loads another. */
const RUNNING_VARIABLES = /^(LD_\w+|DYLD_\w+|PATH|IFS|ENV|BASH_ENV|SHELLOPTS|PROMPT_COMMAND|PS4|NODE_OPTIONS|PYTHON\w*|PERL5?\w*|RUBY\w*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|GIT_\w+|\w*PAGER|\w*EDITOR|\w*BROWSER|LESSOPEN|TAR_OPTIONS|RIPGREP_CONFIG_PATH|MAKEFLAGS|GOFLAGS|RUSTFLAGS|RUSTC_WRAPPER|npm_config_\w+|CC|CXX|SHELL)\+?=/

function whyNotPlain({ words }: Command): string | null {
  const [program = '', ...args] = words
  const name = basename(program)
  if (RUNNING_VARIABLES.test(program)) return `${shown(program.split('=')[0]!)} decides what else runs`
  if (showsEnvironment({ words })) return `${shown(name)} shows every variable of the environment`
  if (WRAPPERS.has(name)) return `${shown(name)} runs what its arguments say`
  if (SHELLS.has(name) && args.some((arg) => /^-\w*c/.test(arg))) return `${shown(name)} runs the text in its arguments`
  if (INTERPRETERS.has(name) && args.some((arg) => /^(-\w*[ecrRp]$|--(?:eval|print|require|import|loader|experimental-loader)(?:=|$))/.test(arg))) return `${shown(name)} runs the text in its arguments`
  if (AWKS.has(name) && args.some((arg) => /system|getline|ENVIRON|[|>@]/.test(arg))) return `${shown(name)} runs the text in its arguments`
  if (name === 'git') {
    const subcommand = args.findIndex((arg) => !arg.startsWith('-'))
    const before = args.slice(0, subcommand < 0 ? args.length : subcommand).find((arg) => GIT_GLOBAL.test(arg))
    if (before !== undefined) return `git ${shown(before)} can run another program`
  }
  const option = Object.hasOwn(RUNNING_OPTIONS, name) ? args.find((arg) => RUNNING_OPTIONS[name]!.test(arg)) : undefined
  return option === undefined ? null : `${shown(name)} ${shown(option)} can run another program or write files`
}

/** Programs whose arguments are files to write. */
const WRITERS = new Set('cp mv tee rm rmdir ln install touch chmod chown dd truncate mkdir unlink shred patch'.split(' '))

/** How a command names a file: what a redirection or an output option names is surely written. */
type Naming = 'written' | 'perhaps written' | 'named'

/** Files that the words of a command name, as far as they look like files. */
async function checkFiles({ words, redirects }: Command, use: RoleUse, judging: Judging): Promise<Finding[]> {
  const [program = '', ...args] = words
  const naming = WRITERS.has(basename(program)) ? 'perhaps written' : 'named'
  const files: [string, Naming][] = redirects.filter(({ operator, target }) => !isHarmless(operator, target)).map(({ operator, target }) => [target, operator.includes('>') ? 'written' : 'named'])
  for (const arg of args) {
    if (/^--?(exclude|ignore|skip|prune)/.test(arg)) continue
    const output = /^--?(?:output|out|o|file)=(.+)$/.exec(arg)?.[1]
    if (output === undefined) files.push([fileOf(arg), naming])
    else files.push([output, 'written'])
  }
  const findings: Finding[] = []
  for (const [path, how] of files) findings.push(...(await judgeFile(path, how, use, judging)))
  return findings
}

/** `--option=FILE`, `of=FILE`, `@FILE`. */
function fileOf(word: string): string {
  return word.replace(/^--?[\w-]+=|^\w+=|^@/, '')
}

async function judgeFile(path: string, how: Naming, use: RoleUse, { workspace, own }: Judging): Promise<Finding[]> {
  if (path === '' || path.startsWith('-') || path === '/dev/null' || /^\w+:\/\//.test(path)) return []
  const protection = classify(path) ?? classifyGlob(path)
  const target = await resolveOrNull(path, workspace)
  const touches = (verdict: 'deny' | 'security confirm'): Finding[] => [finding('protected path', verdict, use, `the command names ${shown(path)}, which is protected`)]
  const outside = (verdict: 'deny' | 'security confirm'): Finding[] => [finding('pin', verdict, use, `${shown(path)} lies outside the workspace ${workspace.root}`)]
  if (target && own.some((folder) => isUnder(folder, target.real))) return touches('deny')
  if (how !== 'named' && (protection === 'deny' || protection === 'deny write')) return touches('deny')
  if (path.startsWith('~') && protection !== null) return outside('deny')
  if (how !== 'named' && (path.startsWith('~') || target === null || target.relative === null)) return outside(how === 'written' ? 'deny' : 'security confirm')
  const isGrave = protection === 'deny' || protection === 'secret' || (how !== 'named' && protection === 'guarded')
  return isGrave ? touches('security confirm') : []
}

/** Whether every word that is a path stays inside, so that a grant may cover the command. */
export async function staysInside({ words }: Command, workspace: Judging['workspace']): Promise<boolean> {
  for (const word of words.slice(1).map(fileOf)) {
    if (!/^[/~]|(^|\/)\.\.(\/|$)/.test(word)) continue
    const target = await resolveOrNull(word, workspace)
    if (word.startsWith('~') || target === null || target.relative === null) return false
  }
  return true
}

async function resolveOrNull(path: string, workspace: Judging['workspace']): Promise<Awaited<ReturnType<Judging['workspace']['resolve']>> | null> {
  try {
    return await workspace.resolve(path)
  } catch (error) {
    if (error instanceof ToolError) return null
    throw error
  }
}

const SECRET_NAMES = ['.env', '.env.local', '.env.production', '.envrc', '.netrc', '.npmrc', '.git-credentials', '.pypirc']

/** What the shell may expand a word to: as grave as the gravest name that it matches. */
function classifyGlob(path: string): ReturnType<typeof classify> {
  if (!/[*?[{]/.test(path)) return null
  const pattern = basename(path)
  // A mere * does not match names that begin with a dot.
  if (!/^(\.|\[|\{|\?)/.test(pattern)) return null
  // One so long is not looked into: it may mean any of them.
  const name = pattern.length > 60 ? SECRET_NAMES[0] : SECRET_NAMES.find((one) => picomatch(pattern, { dot: true })(one))
  return name === undefined ? null : classify(name)
}
