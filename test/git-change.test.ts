// git-log, git-show, git-blame, git-commit, git-branch and git-push in real repositories: what they say,
// what gets into a commit, and that nothing the repository names runs.

import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bindByName } from '../src/tool/bind.ts'
import { findPrim } from '../src/tool/index.ts'
import { fromPlain } from '../src/tool/json.ts'
import { openWorkspace } from '../src/tool/open.ts'
import { ToolError, type ToolContext } from '../src/tool/prim.ts'
import { makeFolder, play } from './help.ts'

const WHO = { GIT_AUTHOR_NAME: 'Ann', GIT_AUTHOR_EMAIL: 'ann@x.test', GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z', GIT_COMMITTER_NAME: 'Ann', GIT_COMMITTER_EMAIL: 'ann@x.test', GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z' }

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', folder, '-c', 'protocol.file.allow=always', ...args], { encoding: 'utf8', stdio: 'pipe', env: { ...process.env, ...WHO } })
}

function put(root: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
}

/** A repository whose commits hold these files, one after the other. */
function repository(...commits: Record<string, string>[]): string {
  const root = makeFolder()
  git(root, 'init', '-q', '-b', 'main')
  git(root, 'config', 'user.name', 'Ann')
  git(root, 'config', 'user.email', 'ann@x.test')
  commits.forEach((files, i) => {
    put(root, files)
    git(root, 'add', '-A')
    git(root, 'commit', '-qm', `commit ${i + 1}`)
  })
  return root
}

/** The text of a call, or the words of its failure. `.env` is not to be shown unasked. */
async function use(root: string, name: string, given: object = {}): Promise<string> {
  const workspace = await openWorkspace(root, { state: makeFolder() })
  const context = { workspace, signal: new AbortController().signal, mayRead: async (path: string) => !path.endsWith('.env') } as unknown as ToolContext
  const prim = findPrim(name)!
  try {
    const { text } = await prim.run!(bindByName(prim, fromPlain(given)).args, context)
    return text.replace(/\b[0-9a-f]{7,8}\b/g, 'HASH').replace(/\b[0-9a-f]{40}\b/g, 'FULL').replace(/\d{4}-\d\d-\d\d/g, 'DATE')
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return `${error.message}${error.help ? ` | ${error.help}` : ''}`
  }
}

describe('git-log', () => {
  it('lists commits, those of a path alone, and says that there are older ones', async () => {
    const root = repository({ a: '1' }, { b: '1' }, { a: '2' })
    expect(await use(root, 'git-log')).toBe('HASH  DATE  Ann  commit 3\nHASH  DATE  Ann  commit 2\nHASH  DATE  Ann  commit 1')
    expect(await use(root, 'git-log', { path: 'b' })).toBe('HASH  DATE  Ann  commit 2')
    expect(await use(root, 'git-log', { n: 1 })).toBe('HASH  DATE  Ann  commit 3\n… older commits are left out; give a larger n, or the last hash as rev')
    expect(await use(root, 'git-log', { path: 'c' })).toBe('no commit changed c')
  })

  for (const [given, want] of [
    [{ rev: 'nope' }, '"nope" names no commit | (git-log) lists the commits'],
    [{ rev: '--output=x' }, '"--output=x" names no commit | (git-log) lists the commits'],
    [{ n: 0 }, 'n must be from 1 to 200, got 0'],
    [{ path: '..' }, /^\.\. lies outside the workspace /],
  ] as const) {
    it(`${JSON.stringify(given)} is refused`, async () => {
      const root = repository({ a: '1' })
      const said = await use(root, 'git-log', given)
      if (typeof want === 'string') expect(said).toBe(want)
      else expect(said).toMatch(want)
      expect(existsSync(join(root, 'x'))).toBe(false)
    })
  }

  it('of a repository without commits says so', async () => {
    expect(await use(repository(), 'git-log')).toBe('the repository has no commit yet')
  })
})

describe('git-show', () => {
  it('shows message and changes, a merge against its first parent, and leaves out what may not be shown', async () => {
    const root = repository({ a: '1\n', '.env': 'A=1\n' })
    expect(await use(root, 'git-show')).toBe(
      'commit FULL\nAuthor: Ann <ann@x.test>\nDate:   Fri Jan 2 03:04:05 2026 +0000\n\ncommit 1\n\n a | 1 +\n 1 file changed, 1 insertion(+)\n\ndiff --git a/a b/a\nnew file mode 100644\nindex HASH..HASH\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+1\n… left out, to be asked for by name: .env',
    )
    expect(await use(root, 'git-show', { rev: 'HEAD', path: 'a' })).toBe('1')
    expect(await use(root, 'git-show', { rev: 'HEAD', path: 'b' })).toBe('b was no file in HEAD | (git-log "b") lists the commits that changed it')
  })

  it('of a workspace inside a repository shows what lies in it, by its path there', async () => {
    const top = repository({ 'part/a': '1\n', other: '1\n' })
    expect(await use(join(top, 'part'), 'git-show')).toMatch(/\n a \| 1 \+\n.*\n\ndiff --git a\/a b\/a\n/)
    expect(await use(join(top, 'part'), 'git-show', { rev: 'HEAD', path: 'a' })).toBe('1')
  })
})

describe('git-blame', () => {
  it('says of each line who changed it last', async () => {
    const root = repository({ a: 'one\ntwo\nthree\n' }, { a: 'one\n2\nthree\n' })
    put(root, { a: 'one\n2\nthree\nfour\n' })
    expect(await use(root, 'git-blame', { path: 'a' })).toBe('HASH DATE Ann               1) one\nHASH DATE Ann               2) 2\nHASH DATE Ann               3) three\nnot yet  DATE committed         4) four'.replace('committed        ', 'committed        '))
    expect(await use(root, 'git-blame', { path: 'a', first: 2, last: 2 })).toBe('HASH DATE Ann 2) 2')
    expect(await use(root, 'git-blame', { path: 'a', first: 9 })).toBe('a has 4 lines, first 9 is behind the last')
  })
})

describe('git-commit', () => {
  it('commits what changed, new files and removals, and leaves out what may not be shown', async () => {
    const root = repository({ a: '1', b: '1', 'd/c': '1' })
    put(root, { a: '2', new: '1', '.env': 'A=1', '.gitignore': 'ignored\n', ignored: 'x' })
    execFileSync('rm', [join(root, 'b')])
    expect(await use(root, 'git-commit', { message: 'change a\n\nmore' })).toBe('HASH on main: change a\n  .gitignore\n  a\n  b\n  new\nleft out, to be committed by name: .env')
    expect(git(root, 'status', '--short')).toBe('?? .env\n')
    expect(git(root, 'show', '--format=%an %B', '--name-status', '--no-renames', 'HEAD')).toBe('Ann change a\n\nmore\n\n\nA\t.gitignore\nM\ta\nD\tb\nA\tnew\n')
  })

  it('with a path commits nothing else, and what was staged stays staged', async () => {
    const root = repository({ a: '1', b: '1' })
    put(root, { a: '2', b: '2' })
    git(root, 'add', 'b')
    expect(await use(root, 'git-commit', { message: 'a', path: 'a' })).toBe('HASH on main: a\n  a')
    expect(git(root, 'status', '--short')).toBe('M  b\n')
  })

  it('keeps links, modes and odd names', async () => {
    const root = repository({ a: '1' })
    put(root, { 'ö *[x]': '1', '-x': '1' })
    symlinkSync('a', join(root, 'l'))
    chmodSync(join(root, 'a'), 0o755)
    await use(root, 'git-commit', { message: 'all' })
    expect(git(root, 'ls-files', '-s', '-z').split('\0').map((line) => line.replace(/ \S+ 0/, '')).sort()).toEqual(['', '100644\t-x', '100644\tö *[x]', '100755\ta', '120000\tl'])
    expect(git(root, 'status', '--short')).toBe('')
  })

  it('makes the first commit', async () => {
    const root = repository()
    put(root, { a: '1' })
    expect(await use(root, 'git-commit', { message: 'first' })).toBe('HASH on main: first\n  a')
    expect(git(root, 'log', '--format=%s')).toBe('first\n')
  })

  it('says what is in the way', async () => {
    const root = repository({ a: '1' })
    expect(await use(root, 'git-commit', { message: 'x' })).toBe('nothing to commit')
    expect(await use(root, 'git-commit', { message: ' \n' })).toBe('message is empty')
    git(root, 'checkout', '-q', '-b', 'other')
    put(root, { a: '2' })
    git(root, 'commit', '-qam', 'two')
    git(root, 'checkout', '-q', 'main')
    put(root, { a: '3' })
    git(root, 'commit', '-qam', 'three')
    expect(() => git(root, 'merge', '-q', 'other')).toThrow()
    expect(await use(root, 'git-commit', { message: 'x' })).toBe('a merge is under way here | end it first, with exec')
  })

  it('runs no hook, filter or signer', async () => {
    const root = repository({ a: '1' })
    const mark = join(makeFolder(), 'mark')
    for (const hook of ['pre-commit', 'commit-msg', 'post-commit', 'prepare-commit-msg', 'reference-transaction', 'post-index-change'])
      writeFileSync(join(root, '.git/hooks', hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 })
    appendFileSync(join(root, '.git/config'), `[commit]\n gpgSign = true\n[gpg]\n program = touch ${mark}\n[core]\n fsmonitor = touch ${mark}\n editor = touch ${mark}\n[filter "evil"]\n clean = touch ${mark}\n`)
    put(root, { a: '2' })
    expect(await use(root, 'git-commit', { message: 'x' })).toBe('HASH on main: x\n  a')
    put(root, { a: '3', '.gitattributes': 'a filter=evil\n' })
    expect(await use(root, 'git-commit', { message: 'x' })).toBe('a is stored through the filter evil, which is not run here | commit it with exec, as git commit')
    expect(existsSync(mark)).toBe(false)
  })
})

describe('git-branch', () => {
  it('goes on in a new branch with the files as they are', async () => {
    const root = repository({ a: '1' })
    put(root, { a: '2' })
    expect(await use(root, 'git-branch', { name: 'fix/one' })).toBe('on the new branch fix/one, at HASH')
    expect(git(root, 'status', '--short', '--branch')).toBe('## fix/one\n M a\n')
    expect(await use(root, 'git-branch', { name: 'main' })).toBe('the branch main exists already | to change to it use exec with git switch main')
    for (const name of ['-d', 'a..b', 'a b', '@{-1}', '', 'x/']) expect(await use(root, 'git-branch', { name })).toBe(`${JSON.stringify(name)} is no name for a branch`)
  })
})

describe('git-push', () => {
  it('pushes the current branch, and again', async () => {
    const remote = makeFolder()
    git(remote, 'init', '-q', '--bare')
    const root = repository({ a: '1' })
    git(root, 'remote', 'add', 'origin', remote)
    expect(await use(root, 'git-push')).toBe(`main (HASH) pushed to ${remote}: a new branch there`)
    expect(git(remote, 'log', '--format=%s', 'main')).toBe('commit 1\n')
    expect(git(root, 'rev-parse', 'origin/main')).toBe(git(root, 'rev-parse', 'main'))
    put(root, { a: '2' })
    await use(root, 'git-commit', { message: 'two' })
    expect(await use(root, 'git-push', { remote: 'origin', branch: 'main' })).toBe(`main (HASH) pushed to ${remote}: HASH..HASH`)
    expect(await use(root, 'git-push')).toBe(`main (HASH) pushed to ${remote}: it was there already`)
  })

  it('never forces', async () => {
    const remote = makeFolder()
    git(remote, 'init', '-q', '--bare')
    const one = repository({ a: '1' })
    git(one, 'push', '-q', remote, 'main')
    const other = repository({ b: '1' })
    git(other, 'remote', 'add', 'origin', remote)
    expect(await use(other, 'git-push')).toBe('the remote refused main: fetch first | it may have commits that are not here; fetch and merge them with exec first')
  })

  it('runs no hook here or there, and no program that the settings name', async () => {
    const remote = makeFolder()
    git(remote, 'init', '-q', '--bare')
    const root = repository({ a: '1' })
    const mark = join(makeFolder(), 'mark')
    const hook = `#!/bin/sh\ntouch ${mark}\n`
    for (const name of ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction']) writeFileSync(join(remote, 'hooks', name), hook, { mode: 0o755 })
    for (const name of ['pre-push', 'reference-transaction']) writeFileSync(join(root, '.git/hooks', name), hook, { mode: 0o755 })
    appendFileSync(join(root, '.git/config'), `[remote "origin"]\n url = ${remote}\n receivepack = touch ${mark}; git-receive-pack\n[core]\n sshCommand = touch ${mark}\n[credential]\n helper = !touch ${mark}\n[push]\n gpgSign = true\n`)
    expect(await use(root, 'git-push')).toBe(`main (HASH) pushed to ${remote}: a new branch there`)
    expect(existsSync(mark)).toBe(false)
  })

  for (const [given, want] of [
    [{ remote: 'nope' }, 'there is no remote nope | the remotes are origin'],
    [{ branch: 'nope' }, 'there is no branch nope'],
    [{ branch: '--delete' }, 'there is no branch --delete'],
    [{ remote: 'ext::sh -c touch% x' }, 'ext::sh -c touch% x is no address that can be pushed to'],
    [{ remote: '--receive-pack=x:y' }, '--receive-pack=x:y is no address that can be pushed to'],
    [{ remote: './inner' }, './inner lies inside the workspace, where its settings could run programs'],
  ] as const) {
    it(`${JSON.stringify(given)} is refused`, async () => {
      const root = repository({ a: '1' })
      git(root, 'remote', 'add', 'origin', 'https://git.example/x')
      expect(await use(root, 'git-push', given)).toBe(want)
    })
  }
})

describe('labels of what git keeps', () => {
  it('come back with the diff, the commit and the file of long ago', async () => {
    const played = await play({ '.env': 'NAME=plain words of no known form\n', 'a.txt': 'one\n' }, [], { answers: Array.from({ length: 20 }, () => true) })
    const { session, root } = played
    for (const args of [['init', '-q', '-b', 'main'], ['config', 'user.name', 'Ann'], ['config', 'user.email', 'ann@x.test'], ['add', 'a.txt'], ['commit', '-qm', 'first']]) git(root, ...args)
    const labelsOf = async (tool: string, args: object): Promise<string[]> => {
      const outcome = await session.callAsModel(tool, JSON.stringify(args))
      expect(outcome).toMatchObject({ ok: true })
      return outcome.labels
    }
    await session.evaluate('(define read (fs-read ".env"))')
    await session.evaluate('(fs-write "a.txt" (string-append "x" read))')
    git(root, 'commit', '-qam', 'second')
    // Neither the path nor what lies there tells of it any more.
    writeFileSync(join(root, 'a.txt'), 'three\n')
    git(root, 'mv', 'a.txt', 'b.txt')
    git(root, 'commit', '-qam', 'third')
    expect(await labelsOf('git-show', { rev: 'HEAD~1', path: 'a.txt' })).toEqual(['secret:.env'])
    expect(await labelsOf('git-show', { rev: 'HEAD' })).toEqual(['secret:.env'])
    expect(await labelsOf('git-show', { rev: 'HEAD~2' })).toEqual([])
    git(root, 'reset', '-q', '--soft', 'HEAD~1')
    expect(await labelsOf('git-diff', { staged: true })).toEqual(['secret:.env'])
    await session.evaluate('(git-commit (string-append "the value is " (substring read 5 12)))')
    expect(await labelsOf('git-log', {})).toEqual(['secret:.env'])
    expect(await labelsOf('git-log', { n: 1, rev: 'HEAD~2' })).toEqual([])
  })
})
