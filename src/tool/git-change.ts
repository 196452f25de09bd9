// git-commit, git-branch and git-push: what changes a repository's history, without any program that the
// repository names. A commit is made from a list of files through an index of its own, so that nothing
// else gets into it; a push reads none of the repository's settings but where its remote lies.

import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join, resolve, sep } from 'node:path'
import { pathIn } from './git-history.ts'
import { repositoryTop, runGit } from './git-program.ts'
import type { Prim, ToolContext } from './prim.ts'
import { ToolError } from './tool-error.ts'

const MOST_NAMED = 20
/** Names on one command line. */
const BATCH = 500

export const gitCommit: Prim = {
  name: 'git-commit',
  doc: 'Commits the changed files, new ones included, to the current branch. No hook runs.',
  readOnly: false,
  effect: 'history',
  params: [
    { name: 'message', type: 'string', role: 'message', doc: 'The commit message: a line that says what changes and why, and more after an empty line if needed.' },
    { name: 'path', type: 'string', role: 'path', optional: true, default: '.', doc: 'Commits only what changed in this file or directory.' },
  ],
  async run(args, context) {
    const message = (args.get('message') as string).trim()
    if (message === '') throw new ToolError('contract', 'message is empty')
    await refuseUnderWay(context)
    const { files, left } = await changedFiles(args.get('path') as string, context)
    if (files.length === 0) throw new ToolError('other', `nothing to commit${left === '' ? '' : left}`)
    await refuseFiltered(files, context)
    const hash = await commitFiles(files, message, context)
    const branch = (await runGit(['branch', '--show-current'], context)).trim() || 'no branch (detached)'
    const named = files.slice(0, MOST_NAMED).map((file) => `\n  ${file}`)
    const more = files.length > MOST_NAMED ? `\n  … ${files.length - MOST_NAMED} more` : ''
    return { text: `${hash.slice(0, 8)} on ${branch}: ${message.split('\n')[0]}${named.join('')}${more}${left}`, value: hash, made: [hash] }
  },
}

export const gitBranch: Prim = {
  name: 'git-branch',
  doc: 'Makes a new branch at the current commit and goes on in it; files stay as they are.',
  readOnly: false,
  effect: 'history',
  params: [{ name: 'name', type: 'string', role: 'ref', doc: 'The name of the new branch.' }],
  async run(args, context) {
    const name = args.get('name') as string
    const ref = `refs/heads/${name}`
    const isName = (await runGit(['check-ref-format', '--branch', name], context, { codes: [1, 128] })).trim() === name
    if (!isName || name === '' || name.startsWith('-')) throw new ToolError('contract', `${JSON.stringify(name)} is no name for a branch`)
    await refuseUnderWay(context)
    const exists = (await runGit(['rev-parse', '--verify', '--quiet', ref], context, { codes: [1] })).trim() !== ''
    if (exists) throw new ToolError('other', `the branch ${name} exists already`, { help: `to change to it use exec with git switch ${name}` })
    const head = (await runGit(['rev-parse', '--verify', '--quiet', 'HEAD'], context, { codes: [1] })).trim()
    if (head !== '') await runGit(['update-ref', ref, head, ''], context)
    await runGit(['symbolic-ref', 'HEAD', ref], context)
    return { text: `on the new branch ${name}${head === '' ? '' : `, at ${head.slice(0, 8)}`}` }
  },
}

export const gitPush: Prim = {
  name: 'git-push',
  doc: 'Pushes a branch to a remote. Nothing is forced: where the remote has commits that are not here, it fails.',
  readOnly: false,
  effect: 'network',
  params: [
    { name: 'remote', type: 'string', role: 'url', optional: true, default: 'origin', doc: 'The name of a remote, or its address.' },
    { name: 'branch', type: 'string', role: 'ref', optional: true, doc: 'The branch; the usual one is the current one.' },
  ],
  async run(args, context) {
    const remote = (args.get('remote') as string) || 'origin'
    const branch = (args.get('branch') as string | undefined) || (await runGit(['branch', '--show-current'], context)).trim()
    if (branch === '') throw new ToolError('other', 'HEAD is on no branch', { help: 'say which branch to push' })
    const hash = (await runGit(['rev-parse', '--verify', '--quiet', '--end-of-options', `refs/heads/${branch}^{commit}`], context, { codes: [1, 128] })).trim()
    if (hash === '') throw new ToolError('other', `there is no branch ${branch}`)
    const { address, name } = await addressOf(remote, context)
    const said = await pushFrom(address, hash, branch, context)
    if (name !== null) await runGit(['update-ref', `refs/remotes/${name}/${branch}`, hash], context)
    return { text: `${branch} (${hash.slice(0, 8)}) pushed to ${shownAddress(address)}: ${said}` }
  },
}

/** Half a merge or rebase is not for these tools to end. */
async function refuseUnderWay(context: ToolContext): Promise<void> {
  for (const [ref, what] of [['MERGE_HEAD', 'a merge'], ['CHERRY_PICK_HEAD', 'a cherry-pick'], ['REVERT_HEAD', 'a revert'], ['REBASE_HEAD', 'a rebase']] as const)
    if ((await runGit(['rev-parse', '--verify', '--quiet', ref], context, { codes: [1, 128] })).trim() !== '') throw new ToolError('other', `${what} is under way here`, { help: 'end it first, with exec' })
}

/** What differs from the last commit, relative to the root, and what is said of files left out. */
async function changedFiles(given: string, context: ToolContext): Promise<{ files: string[]; left: string }> {
  const path = await pathIn(given, context)
  const unborn = (await runGit(['rev-parse', '--verify', '--quiet', 'HEAD'], context, { codes: [1] })).trim() === ''
  const changed = unborn ? await runGit(['ls-files', '-z', '--cached', '--', path], context) : await runGit(['diff', '--name-only', '-z', '--relative', '--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty', 'HEAD', '--', path], context)
  const added = await runGit(['ls-files', '-z', '--others', '--exclude-standard', '--', path], context)
  const names = [...new Set([...changed.split('\0'), ...added.split('\0')])].filter((name) => name !== '' && !name.endsWith('/'))
  const files: string[] = []
  const hidden: string[] = []
  for (const name of names.sort()) ((await context.mayRead(name)) ? files : hidden).push(name)
  return { files, left: hidden.length === 0 ? '' : `\nleft out, to be committed by name: ${hidden.join(', ')}` }
}

/** A filter changes what is stored, and is a program that the repository names. */
async function refuseFiltered(files: string[], context: ToolContext): Promise<void> {
  for (const batch of batches(files)) {
    const fields = (await runGit(['check-attr', '-z', 'filter', '--', ...batch], context)).split('\0')
    for (let i = 0; i + 2 < fields.length; i += 3)
      if (!['unspecified', 'unset', ''].includes(fields[i + 2]!)) throw new ToolError('other', `${fields[i]} is stored through the filter ${fields[i + 2]}, which is not run here`, { help: 'commit it with exec, as git commit' })
  }
}

/** The new commit's hash. The files' index entries are brought up to date once it stands. */
async function commitFiles(files: string[], message: string, context: ToolContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nodwyn-index-'))
  try {
    const env = { GIT_INDEX_FILE: join(folder, 'index') }
    const parent = (await runGit(['rev-parse', '--verify', '--quiet', 'HEAD'], context, { codes: [1] })).trim()
    await (parent === '' ? runGit(['read-tree', '--empty'], context, { env }) : runGit(['read-tree', parent], context, { env }))
    for (const batch of batches(files)) await runGit(['update-index', '--add', '--remove', '--', ...batch], context, { env })
    const tree = (await runGit(['write-tree'], context, { env })).trim()
    if (parent !== '' && (await runGit(['rev-parse', `${parent}^{tree}`], context)).trim() === tree) throw new ToolError('other', 'nothing to commit')
    const who = await identity(context)
    const hash = (await runGit(['commit-tree', tree, ...(parent === '' ? [] : ['-p', parent]), '-m', message], context, { env: { ...env, ...who } })).trim()
    await runGit(['update-ref', '-m', `commit: ${message.split('\n')[0]}`, 'HEAD', hash, parent], context, { env: who })
    for (const batch of batches(files)) await runGit(['update-index', '--add', '--remove', '--', ...batch], context)
    return hash
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function identity(context: ToolContext): Promise<{ [name: string]: string }> {
  const setting = async (key: string): Promise<string> => (await runGit(['config', '--get', key], context, { isPersonal: true, codes: [1] })).trim()
  const name = process.env['GIT_AUTHOR_NAME'] || (await setting('user.name'))
  const email = process.env['GIT_AUTHOR_EMAIL'] || (await setting('user.email'))
  if (name === '' || email === '') throw new ToolError('other', 'git does not know who commits', { help: 'set it once, with git config --global user.name and user.email' })
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email }
}

/** Where a remote lies; `name` is null where the address itself was given. */
async function addressOf(remote: string, context: ToolContext): Promise<{ address: string; name: string | null }> {
  const urls = await remoteSettings(context)
  const found = urls.get(`remote.${remote}.pushurl`) ?? urls.get(`remote.${remote}.url`)
  const address = found ?? remote
  if (found === undefined && !/[/:]/.test(remote)) {
    const names = [...new Set([...urls.keys()].map((key) => key.replace(/^remote\.(.*)\.(push)?url$/, '$1')))]
    throw new ToolError('other', `there is no remote ${remote}`, { help: names.length === 0 ? 'the repository has none' : `the remotes are ${names.join(', ')}` })
  }
  // host:path is ssh; scheme:: would name a program.
  if (address.startsWith('-') || /^[\w+.-]*::/.test(address)) throw new ToolError('denied', `${address} is no address that can be pushed to`)
  const place = localPath(address, context)
  const top = repositoryTop(context.workspace.root)
  if (place !== null && (place === top || place.startsWith(top + sep))) throw new ToolError('denied', `${address} lies inside the workspace, where its settings could run programs`)
  return { address: place ?? address, name: found === undefined ? null : remote }
}

async function remoteSettings(context: ToolContext): Promise<Map<string, string>> {
  const out = await runGit(['config', '--null', '--get-regexp', '^remote\\..*\\.(push)?url$'], context, { codes: [1] })
  return new Map(out.split('\0').filter(Boolean).map((entry) => entry.split(/\n/s, 2) as [string, string]))
}

function localPath(address: string, { workspace }: ToolContext): string | null {
  if (address.startsWith('file://')) return resolve(decodeURIComponent(new URL(address).pathname))
  if (isAbsolute(address)) return resolve(address)
  return /^([^/]*:|[a-z][\w+.-]*:\/\/)/i.test(address) ? null : resolve(workspace.root, address)
}

/** Of an address that holds a password. */
function shownAddress(address: string): string {
  return address.replace(/\/\/[^/@]*@/, '//')
}

/** Pushes from an empty repository that shares the objects: its own settings are the only ones beside the
 * person's. On a local remote no hook runs either. */
async function pushFrom(address: string, hash: string, branch: string, context: ToolContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nodwyn-push-'))
  try {
    const gitDir = join(folder, 'git')
    for (const name of ['refs', 'objects']) await mkdir(join(gitDir, name), { recursive: true })
    await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n')
    const format = (await runGit(['rev-parse', '--show-object-format'], context)).trim()
    await writeFile(join(gitDir, 'config'), `[core]\n repositoryformatversion = 1\n bare = true\n[extensions]\n objectFormat = ${format}\n`)
    const objects = resolve(context.workspace.root, (await runGit(['rev-parse', '--git-path', 'objects'], context)).trim())
    const shallow = resolve(context.workspace.root, (await runGit(['rev-parse', '--git-path', 'shallow'], context)).trim())
    await copyFile(shallow, join(gitDir, 'shallow')).catch(() => {})
    const env = { GIT_OBJECT_DIRECTORY: objects, GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file' }
    const receive = `git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.alternateRefsCommand=true -c receive.autogc=false -c gc.auto=0 receive-pack`
    const isLocal = isAbsolute(address)
    const words = ['push', '--porcelain', '--no-verify', '--no-signed', ...(isLocal ? [`--receive-pack=${receive}`] : []), '--', address, `${hash}:refs/heads/${branch}`]
    const out = await runGit(words, context, { gitDir, isPersonal: true, env, allowNetwork: true, codes: [1] })
    const line = out.split('\n').find((text) => /^[ +*=!-]\t/.test(text)) ?? ''
    if (line.startsWith('!')) throw new ToolError('other', `the remote refused ${branch}: ${/\((.*)\)/.exec(line)?.[1] ?? line.trim()}`, { help: 'it may have commits that are not here; fetch and merge them with exec first' })
    if (line.startsWith('=')) return 'it was there already'
    return line.startsWith('*') ? 'a new branch there' : (line.split('\t')[2] ?? '').trim()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function batches(files: string[]): string[][] {
  return Array.from({ length: Math.ceil(files.length / BATCH) }, (_, i) => files.slice(i * BATCH, (i + 1) * BATCH))
}
