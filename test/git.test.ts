// git-status and git-diff in repositories that somebody else wrote: nothing that they name runs, nothing
// outside is shown, nothing is changed.

import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bindByName } from '../src/tool/bind.ts'
import { gitDiff, gitStatus } from '../src/tool/git.ts'
import { gitBlame, gitLog, gitShow } from '../src/tool/git-history.ts'
import { fromPlain } from '../src/tool/json.ts'
import { openWorkspace } from '../src/tool/open.ts'
import type { Prim, ToolContext } from '../src/tool/prim.ts'
import { makeFolder } from './help.ts'

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', folder, '-c', 'user.name=n', '-c', 'user.email=e', '-c', 'protocol.file.allow=always', ...args], { encoding: 'utf8', stdio: 'pipe' })
}

/** A repository with one committed file. */
function makeRepository(): string {
  const root = makeFolder()
  git(root, 'init', '-q', '-b', 'main')
  writeFileSync(join(root, 'f'), 'one\n')
  git(root, 'add', 'f')
  git(root, 'commit', '-qm', 'c')
  return root
}

async function use(root: string, prim: Prim, given: object = {}): Promise<string> {
  const workspace = await openWorkspace(root, { state: makeFolder() })
  const context = { workspace, signal: new AbortController().signal, mayRead: async (path: string) => path !== '.env' } as unknown as ToolContext
  const { text } = await prim.run!(bindByName(prim, fromPlain(given)).args, context)
  return text
}

async function failure(step: Promise<string>): Promise<string> {
  return step.then(
    (text) => `no failure: ${text}`,
    (error: Error) => error.message,
  )
}

const TWO = 'diff --git a/f b/f\nindex 5626abf..f719efd 100644\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-one\n+two'

describe('what the repository names', () => {
  /** Settings, as they stand in its file; MARK is what a program that runs leaves behind. */
  const traps: [name: string, settings: string, attributes: string][] = [
    ['a filter', '[filter "evil"]\n clean = touch MARK\n process = touch MARK\n required = true\n', 'f filter=evil\n'],
    ['a filter whose name holds =', '[filter "a=b"]\n clean = touch MARK\n', 'f filter=a=b\n'],
    ['a filter among very many', `${Array.from({ length: 1500 }, (_, i) => `[filter "some-rather-long-name-${i}"]\n clean = touch MARK\n`).join('')}`, 'f filter=some-rather-long-name-750\n'],
    ['a filter in an included file', '[include]\n path = more\n', 'f filter=evil\n'],
    ['an external diff and a text conversion', '[diff]\n external = touch MARK\n[diff "evil"]\n command = touch MARK\n textconv = touch MARK\n', 'f diff=evil\n'],
    ['a signature check', '[log]\n showSignature = true\n[gpg]\n program = touch MARK\n', ''],
    ['a file system monitor', '[core]\n fsmonitor = touch MARK\n', ''],
  ]
  for (const [name, settings, attributes] of traps) {
    it(`${name} does not run`, async () => {
      const root = makeRepository()
      const mark = join(makeFolder(), 'mark')
      appendFileSync(join(root, '.git/config'), settings.replaceAll('MARK', mark))
      writeFileSync(join(root, '.git/more'), `[filter "evil"]\n clean = touch ${mark}\n`)
      writeFileSync(join(root, '.git/info/attributes'), attributes)
      writeFileSync(join(root, 'f'), 'two\n')
      expect(await use(root, gitStatus)).toBe('## main\n M f')
      expect(await use(root, gitDiff)).toBe(TWO)
      expect(await use(root, gitDiff, { staged: true })).toBe('no changes')
      expect(await use(root, gitLog)).toMatch(/^[0-9a-f]{7}  \d{4}-\d\d-\d\d  n  c$/)
      expect(await use(root, gitShow)).toMatch(/^commit [0-9a-f]{40}\nAuthor: n <e>\nDate: [^\n]*\n\nc\n\n f \| 1 \+\n 1 file changed, 1 insertion\(\+\)\n\ndiff --git a\/f b\/f\n/)
      expect(await use(root, gitShow, { rev: 'HEAD', path: 'f' })).toBe('one')
      expect(await use(root, gitBlame, { path: 'f' })).toMatch(/^not yet  \d{4}-\d\d-\d\d committed +1\) two$/)
      expect(existsSync(mark)).toBe(false)
    })
  }

  it('a hook does not run', async () => {
    const root = makeRepository()
    const mark = join(makeFolder(), 'mark')
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'post-checkout']) writeFileSync(join(root, '.git/hooks', hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 })
    utimesSync(join(root, 'f'), new Date(), new Date())
    await use(root, gitStatus)
    await use(root, gitDiff)
    expect(existsSync(mark)).toBe(false)
  })

  it('a submodule’s own settings do not run', async () => {
    const root = makeRepository()
    const inner = makeRepository()
    const mark = join(makeFolder(), 'mark')
    git(root, 'submodule', '--quiet', 'add', inner, 'sub')
    git(root, 'commit', '-qm', 'sub')
    appendFileSync(join(root, '.git/modules/sub/config'), `[core]\n fsmonitor = touch ${mark}\n[filter "evil"]\n clean = touch ${mark}\n`)
    appendFileSync(join(root, '.git/config'), '[status]\n submoduleSummary = true\n[diff]\n submodule = diff\n')
    writeFileSync(join(root, '.git/modules/sub/info/attributes'), 'f filter=evil\n')
    writeFileSync(join(root, 'sub/f'), 'two\n')
    expect(await use(root, gitStatus)).toBe('## main\nnothing changed')
    expect(await use(root, gitDiff)).toBe('no changes')
    expect(existsSync(mark)).toBe(false)
  })

  it('a remote that lends missing objects is not asked', async () => {
    const root = makeRepository()
    const mark = join(makeFolder(), 'mark')
    const blob = git(root, 'rev-parse', 'HEAD:f').trim()
    rmSync(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)))
    appendFileSync(join(root, '.git/config'), `[core]\n repositoryformatversion = 1\n[extensions]\n partialClone = evil\n[remote "evil"]\n promisor = true\n url = ext::sh -c "touch% ${mark}"\n[protocol "ext"]\n allow = always\n`)
    writeFileSync(join(root, 'f'), 'two\n')
    expect(await failure(use(root, gitDiff))).toMatch(/^git failed: /)
    expect(existsSync(mark)).toBe(false)
  })

  it('a git of its own, first on the path, does not run', async () => {
    const root = makeRepository()
    const mark = join(makeFolder(), 'mark')
    mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
    writeFileSync(join(root, 'node_modules/.bin/git'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 })
    const path = process.env['PATH']!
    process.env['PATH'] = `${join(root, 'node_modules/.bin')}:${path}`
    onTestFinished(() => void (process.env['PATH'] = path))
    expect(await use(root, gitStatus)).toBe('## main\n?? node_modules/')
    expect(existsSync(mark)).toBe(false)
  })

  it('a work tree elsewhere is not looked at', async () => {
    const root = makeRepository()
    const outside = makeFolder()
    writeFileSync(join(outside, 'f'), 'private\n')
    git(root, 'config', 'core.worktree', outside)
    expect(await use(root, gitStatus)).toBe('## main\nnothing changed')
    expect(await use(root, gitDiff)).toBe('no changes')
  })
})

describe('git', () => {
  it('leaves the index as it is, and passes over a file that was only touched', async () => {
    const root = makeRepository()
    utimesSync(join(root, 'f'), new Date(0), new Date(0))
    const index = readFileSync(join(root, '.git/index'))
    const { mtimeMs } = statSync(join(root, '.git/index'))
    expect(await use(root, gitStatus)).toBe('## main\nnothing changed')
    expect(await use(root, gitDiff)).toBe('no changes')
    expect(readFileSync(join(root, '.git/index')).equals(index)).toBe(true)
    expect(statSync(join(root, '.git/index')).mtimeMs).toBe(mtimeMs)
  })

  it('takes a path as it is, no pattern', async () => {
    const root = makeRepository()
    for (const name of ['*', ':(top)f', 'gone']) writeFileSync(join(root, name), 'x\n')
    git(root, '--literal-pathspecs', 'add', '*', ':(top)f', 'gone')
    writeFileSync(join(root, 'f'), 'two\n')
    rmSync(join(root, 'gone'))
    expect(await use(root, gitDiff, { path: '*' })).toBe('no changes')
    expect(await use(root, gitDiff, { path: ':(top)f' })).toBe('no changes')
    expect(await use(root, gitDiff, { path: 'gone' })).toMatch(/^diff --git a\/gone b\/gone\ndeleted file/)
    expect(await failure(use(root, gitDiff, { path: '../f' }))).toBe(`../f lies outside the workspace ${root}`)
  })

  it('shows a link as git has it, and names in any script', async () => {
    const root = makeRepository()
    symlinkSync('f', join(root, 'ö'))
    git(root, 'add', 'ö')
    git(root, 'commit', '-qm', 'link')
    rmSync(join(root, 'ö'))
    symlinkSync('g', join(root, 'ö'))
    expect(await use(root, gitStatus)).toBe('## main\n M ö')
    expect(await use(root, gitDiff, { path: 'ö' })).toContain('\n-f\n\\ No newline at end of file\n+g')
  })

  it('shows of a workspace inside a repository what lies in it', async () => {
    const top = makeRepository()
    const root = join(top, 'part')
    mkdirSync(root)
    writeFileSync(join(root, 'g'), 'x\n')
    git(top, 'add', 'part')
    writeFileSync(join(top, 'f'), 'two\n')
    expect(await use(root, gitStatus)).toBe('## main\nA  g')
    expect(await use(root, gitDiff)).toBe('no changes')
  })

  it('says how much of a long diff is left', async () => {
    const root = makeRepository()
    writeFileSync(join(root, 'f'), 'a line\n'.repeat(20_000))
    expect(await use(root, gitDiff)).toMatch(/\n\+a line\n… \d+ more characters; give a path to see less at a time$/)
  })

  it('takes what only looks like the inside of a repository for files', async () => {
    const root = makeFolder()
    execFileSync('git', ['init', '-q', '--bare', root])
    expect(await failure(use(root, gitStatus))).toBe(`${root} is no git repository`)
  })
})
