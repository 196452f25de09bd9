// Runs git in the workspace without running any program that the repository names, and without letting
// its settings lead out of it. A repository is text that anybody may have written: hooks, pagers, file
// system monitors, filters, text conversions, helpers of remotes, all of them can stand in its settings.

import { accessSync, constants, existsSync } from 'node:fs'
import { devNull } from 'node:os'
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path'
import type { ToolContext } from './prim.ts'
import { runProcess } from './process.ts'
import { ToolError } from './tool-error.ts'

const TIMEOUT_MS = 30_000
const MOST_CHARACTERS = 20_000_000

/** Each overrides what the repository says. */
const SAFE: [key: string, value: string][] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', devNull],
  ['core.untrackedCache', 'false'],
  ['core.quotePath', 'false'],
  ['core.sshCommand', 'false'],
  ['diff.external', ''],
  // It would write the index.
  ['diff.autoRefreshIndex', 'false'],
  ['status.submoduleSummary', 'false'],
  ['status.relativePaths', 'true'],
  ['protocol.allow', 'never'],
  // Files of a workspace that look like the inside of a repository are none.
  ['safe.bareRepository', 'explicit'],
  // A repository of another user, as in a container, is the workspace all the same.
  ['safe.directory', '*'],
  // Signatures are made and checked by programs that the settings name.
  ['log.showSignature', 'false'],
  ['commit.gpgSign', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['diff.ignoreSubmodules', 'dirty'],
  ['diff.noprefix', 'false'],
  ['log.follow', 'false'],
  ['blame.ignoreRevsFile', ''],
  ['core.alternateRefsCommand', 'true'],
]

export interface GitOptions {
  /** Beside those that every run gets. */
  env?: { [name: string]: string }
  /** The person's own settings count too: who they are, how they reach a remote. Only for runs that read
   * none of the repository's. */
  isPersonal?: boolean
  /** The repository to use instead of the workspace's own. */
  gitDir?: string
  timeoutMs?: number
  /** A remote may be reached, by what `env` allows. */
  allowNetwork?: boolean
  /** Codes that are no failure, beside 0. */
  codes?: number[]
}

interface Place {
  program: string
  root: string
  /** The folder that holds `.git`. */
  top: string
  signal: AbortSignal
  options: GitOptions
}

/** What git writes. Throws ToolError where there is no repository or git, and with git's own words where
 * it fails. */
export async function runGit(args: string[], { workspace: { root }, signal }: Pick<ToolContext, 'workspace' | 'signal'>, options: GitOptions = {}): Promise<string> {
  const top = repositoryTop(root)
  const program = findProgram('git', top)
  if (program === null) throw new ToolError('other', 'git is not installed')
  const place = { program, root, top, signal, options }
  const filters = options.gitDir === undefined ? await filterSettings(place) : []
  const safe = options.allowNetwork ? SAFE.filter(([key]) => key !== 'protocol.allow' && key !== 'core.sshCommand') : SAFE
  const { out, err, code } = await run(args, [...safe, ...filters], place)
  if (code !== 0 && !options.codes?.includes(code ?? -1)) throw failed(err)
  return out
}

/** The folder that holds `.git`. Throws ToolError where there is none. */
export function repositoryTop(root: string): string {
  const top = findTop(root)
  if (top === null) throw new ToolError('other', `${root} is no git repository`)
  return top
}

function findTop(root: string): string | null {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (folder === dirname(folder)) return null
  }
}

/** The path of a program, never one that lies in the repository: an npm script has the workspace's own
 * programs on its path. */
function findProgram(name: string, top: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute)
  const paths = folders.map((folder) => join(folder, name)).filter((path) => top === sep || !path.startsWith(`${top}${sep}`))
  return paths.find(isExecutable) ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A clean or process filter runs on every file that looks changed: each one named is emptied. */
async function filterSettings(place: Place): Promise<[string, string][]> {
  const { out, err, code } = await run(['config', '--null', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|smudge|process|required)$'], SAFE, place)
  // 1: there are none. Anything else: what they are is not known, so nothing may run.
  if (code !== 0 && code !== 1) throw failed(err)
  return out.split('\0').filter(Boolean).map((key) => [key, key.endsWith('.required') ? 'false' : ''])
}

function failed(err: string): ToolError {
  const line = err.split('\n').find((text) => /^(fatal|error): /.test(text)) ?? err.split('\n')[0]!
  return new ToolError('other', `git failed: ${line.replace(/^\w+: /, '').slice(0, 300)}`)
}

async function run(args: string[], settings: [string, string][], { program, root, top, signal, options }: Place): Promise<{ out: string; err: string; code: number | null }> {
  const texts = { out: '', err: '' }
  const onText = (text: string, stream: 'out' | 'err'): void => {
    if (texts[stream].length <= MOST_CHARACTERS) texts[stream] += text
  }
  const { timeoutMs = TIMEOUT_MS } = options
  const words = ['--no-pager', '--literal-pathspecs', '--no-optional-locks', ...args]
  const { code, timedOut } = await runProcess(program, words, { cwd: root, env: environment(top, settings, options), timeoutMs, signal, startsOthers: false, onText })
  if (timedOut) throw new ToolError('other', `git took longer than ${timeoutMs / 1000} seconds`)
  if (texts.out.length > MOST_CHARACTERS) throw new ToolError('other', `git wrote more than ${MOST_CHARACTERS} characters`, { help: 'give a path to see less at a time' })
  return { ...texts, code }
}

/** Settings go by the environment: in `-c name=value` a name that holds = would be another one. */
function environment(top: string, settings: [string, string][], { env: own, isPersonal, gitDir, allowNetwork }: GitOptions): { [name: string]: string } {
  const env: { [name: string]: string } = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: devNull,
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    // Missing objects are not fetched: a remote can name a program.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    // core.worktree would lead to files outside.
    GIT_WORK_TREE: top,
    GIT_CEILING_DIRECTORIES: dirname(top),
    GIT_CONFIG_COUNT: String(settings.length),
  }
  for (const [i, [key, value]] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${i}`] = key
    env[`GIT_CONFIG_VALUE_${i}`] = value
  }
  if (isPersonal) {
    for (const name of ['GIT_CONFIG_NOSYSTEM', 'GIT_CONFIG_GLOBAL', 'HOME']) delete env[name]
    for (const name of PERSONAL) if (process.env[name] !== undefined) env[name] = process.env[name]
  }
  if (gitDir !== undefined) env['GIT_DIR'] = gitDir
  if (gitDir !== undefined && allowNetwork) delete env['GIT_WORK_TREE']
  return { ...env, ...own }
}

/** Where the person's own settings and keys are found. */
const PERSONAL = ['HOME', 'XDG_CONFIG_HOME', 'SSH_AUTH_SOCK', 'GIT_CONFIG_GLOBAL', 'USER', 'LOGNAME']
