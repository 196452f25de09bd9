// The guard, on real folders: the scenarios, the sentences it gives, and the laws of its verdicts.

import { appendFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCommand } from '../src/guard/command.ts'
import type { Grant, Guard, GuardedCall, Policy } from '../src/guard/guard.ts'
import { openGuard } from '../src/guard/open.ts'
import { runScenario, type Scenario } from '../src/guard/scenario.ts'
import { highest, VERDICTS, type Judgement, type Verdict } from '../src/guard/verdict.ts'
import { scenarioHands } from '../src/session/call.ts'
import { findFor } from '../src/session/stub-server.ts'
import { bindByName } from '../src/tool/bind.ts'
import { fsEdit } from '../src/tool/edit.ts'
import { prims } from '../src/tool/index.ts'
import { fromPlain, type Json } from '../src/tool/json.ts'
import { openWorkspace } from '../src/tool/open.ts'
import type { Change, Prim } from '../src/tool/prim.ts'
import type { Workspace } from '../src/tool/workspace.ts'
import { makeFolder } from './help.ts'

const AWS = 'AKIAFAKEDONOTUSEKEY2'
const GITHUB = 'ghp_FAKEfake0000DoNotUse1111FAKEfake2222'
const EVERYTHING: Policy['grants'] = [{ kind: 'write', tool: 'fs-*', path: '**' }]

interface Opened {
  root: string
  state: string
  workspace: Workspace
  guard: Guard
  /** The findings and the verdict of a call and of what it would write. */
  judge(tool: string | Prim, args: Record<string, unknown>, labels?: Record<string, string[]>): Promise<Judgement>
}

/** `labels` by argument; those of "" hold for the whole call. */
async function open(files: Record<string, string>, policy: Partial<Policy> = {}, state = makeFolder()): Promise<Opened> {
  const root = makeFolder(files)
  const workspace = await openWorkspace(root, { state })
  const guard = await openGuard({ workspace, policy: { attended: true, grants: [], denylist: [], protect: [], ...policy }, ownFolders: [state] })
  return {
    root,
    state,
    workspace,
    guard,
    async judge(tool, args, labels = {}) {
      const prim = typeof tool === 'string' ? prims.find(({ name }) => name === tool)! : tool
      const { args: bound } = bindByName(prim, fromPlain(args))
      return judgeBoth(guard, workspace, makeCall(prim, bound, labels))
    },
  }
}

function makeCall(prim: Prim, args: ReadonlyMap<string, Json>, labels: Record<string, string[]> = {}): GuardedCall {
  const { '': whole = [], ...places } = labels
  return { prim, args, caller: 'model', labels: new Set(whole), argumentLabels: new Map(Object.entries(places).map(([at, some]) => [at, new Set(some)])) }
}

async function judgeBoth(guard: Guard, workspace: Workspace, call: GuardedCall): Promise<Judgement> {
  const first = await guard.judgeCall(call)
  const second = first.verdict === 'deny' ? { verdict: first.verdict, findings: [] } : await guard.judgeChanges(call, await scenarioHands.plan(call, workspace))
  return { verdict: highest([first.verdict, second.verdict]), findings: [...first.findings, ...second.findings] }
}

function rank(verdict: Verdict): number {
  return VERDICTS.indexOf(verdict)
}

function reasons({ findings }: Judgement): string[] {
  return findings.filter(({ verdict }) => verdict !== 'allow').map(({ rule, verdict, argument, reason }) => `${verdict} | ${rule} | ${argument ?? '-'} | ${reason}`)
}

/** Scenarios that want what is not there. One that begins to pass must leave this list. */
const NOT_YET: Record<string, string> = {
  // Nothing in it tells its second step from a call of its own, for which show-summary-lie wants a confirm.
  'appr-updated-input': 'step 2: expected security confirm, got confirm',
}

async function outcomeOf(scenario: Scenario): Promise<string> {
  for (const [i, result] of (await runScenario(scenario, { ...scenarioHands, find: findFor(scenario.steps) })).entries()) {
    if (result.kind === 'skipped') return `skipped ${result.tool}`
    if (result.got !== result.expected) return `step ${i + 1}: expected ${result.expected}, got ${result.got}`
  }
  return 'passed'
}

const folder = join(import.meta.dirname, 'guard')
for (const file of readdirSync(folder)) {
  describe(file, () => {
    const lines = readFileSync(join(folder, file), 'utf8').trim().split('\n')
    it.each(lines.map((line) => JSON.parse(line) as Scenario))('$id', async (scenario) => {
      expect(await outcomeOf(scenario)).toBe(NOT_YET[scenario.id] ?? 'passed')
    })
  })
}

describe('a reason', () => {
  it('names the edit, the file and the line, and not the token', async () => {
    const { judge } = await open({ 'src/a.ts': 'one\ntwo\nthree\n' }, { grants: EVERYTHING })
    const edits = [{ old: 'one', new: '1' }, { old: 'three', new: `k = '${AWS}'` }]
    expect(reasons(await judge('fs-edit', { path: 'src/a.ts', edits }))).toEqual([
      'security confirm | secret | edits[1].new | edit 2 of 2 puts what looks like an AWS key into src/a.ts',
      'security confirm | secret | edits[1].new | edit 2 of 2 puts what looks like an AWS key into src/a.ts, line 3',
    ])
  })

  it('names the place outside', async () => {
    const { judge, root } = await open({})
    expect(reasons(await judge('fs-read', { path: '../x' }))).toEqual([`deny | pin | path | ../x lies outside the workspace ${root}`])
  })

  it('shows what hides', async () => {
    const { judge } = await open({})
    expect(reasons(await judge('fs-read', { path: 'a\u200bb' }))).toEqual(['deny | pin | path | a\\u{200b}b holds characters that cannot be seen'])
  })

  it('names the label and the edit that carries it', async () => {
    const { judge } = await open({ a: 'one\n' }, { grants: EVERYTHING })
    expect(reasons(await judge('fs-edit', { path: 'a', edits: [{ old: 'one', new: '1' }] }, { edits: ['untrusted:web'] }))).toEqual([
      'confirm | untrusted label | edits[0].new | edit 1 of 1 carries untrusted:web',
    ])
  })

  it('names the field of package.json', async () => {
    const { judge } = await open({ 'package.json': '{"scripts": {"test": "a"}}' }, { grants: EVERYTHING })
    expect(reasons(await judge('fs-edit', { path: 'package.json', old: '"a"', new: '"b"' }))).toEqual([
      'security confirm | protected path | path | scripts of package.json changes, which other programs run',
    ])
  })

  it('names the rule of the denylist', async () => {
    const { judge } = await open({ 'secrets/a': 'x' }, { denylist: ['secrets/'] })
    expect(reasons(await judge('fs-read', { path: 'secrets/a' }))).toEqual(['deny | denylist | path | secrets/a is on the denylist (secrets/)'])
  })
})

describe('nothing fails open', () => {
  const odd: Prim = { ...fsEdit, params: fsEdit.params.map((param) => (param.name === 'new' ? { ...param, role: 'memo' as never } : param)) }

  it('a role without a rule is refused', async () => {
    const { judge } = await open({ a: 'x' })
    expect(reasons(await judge(odd, { path: 'a', old: 'x', new: 'y' }))).toContain('deny | role | new | new has the role memo, for which there is no rule')
  })

  it('an effect without a rule is refused', async () => {
    const { judge } = await open({ a: 'x' })
    expect(reasons(await judge({ ...fsEdit, effect: 'magic' as never }, { path: 'a', old: 'x', new: 'y' }))).toEqual(['deny | effect | - | fs-edit has the effect magic, for which there is no rule'])
  })

  it('an argument that is not declared is refused', async () => {
    const { guard } = await open({ a: 'x' })
    const args = new Map<string, Json>([['path', 'a'], ['edits', [new Map([['old', 'x'], ['neu', 'y']])]]])
    expect(reasons(await guard.judgeCall(makeCall(fsEdit, args)))).toContain('deny | role | edits[0].neu | edits[0].neu is no parameter of fs-edit')
  })

  it('a check that throws is a security confirm', async () => {
    const { guard, workspace } = await open({ a: 'x' }, { grants: EVERYTHING })
    workspace.resolve = () => Promise.reject(new Error('EIO: i/o error'))
    const { verdict, findings } = await guard.judgeCall(makeCall(fsEdit, new Map([['path', 'a'], ['old', 'x'], ['new', 'y']])))
    expect(verdict).toBe('security confirm')
    expect(findings[0]!.reason).toBe('path could not be judged: EIO: i/o error')
  })

  it('a file that a plan changes is judged, whatever the call named', async () => {
    const { guard, root } = await open({ a: 'x', '.git/HEAD': 'x' })
    const call = makeCall(fsEdit, new Map([['path', 'a'], ['old', 'x'], ['new', 'y']]))
    const change: Change = { path: join(root, '.git/HEAD'), given: '.git/HEAD', before: null, after: new Uint8Array(1) }
    expect((await guard.judgeChanges(call, [change])).verdict).toBe('deny')
  })

  it('the folders of the program are denied, also where they lie in the workspace', async () => {
    const root = makeFolder({ 'state/log': 'x' })
    const { workspace } = await open({})
    const inside = await openWorkspace(root, { state: workspace.root })
    const guard = await openGuard({ workspace: inside, policy: { attended: true, grants: EVERYTHING, denylist: [], protect: [] }, ownFolders: [join(root, 'state')] })
    const call = makeCall(fsEdit, new Map([['path', 'state/log'], ['old', 'x'], ['new', 'y']]))
    expect(reasons(await guard.judgeCall(call))).toEqual(['deny | protected path | path | state/log belongs to this program'])
  })
})

describe('grants', () => {
  const edit = { path: 'Makefile', old: 'x', new: 'y' }

  it('do not answer the confirm of a path that the person protects', async () => {
    const { judge } = await open({ Makefile: 'x' }, { grants: EVERYTHING, protect: [{ glob: 'Makefile', verdict: 'confirm' }] })
    expect(reasons(await judge('fs-edit', edit))).toEqual(['confirm | protected by the person | path | Makefile is protected by Makefile'])
  })

  it('cover a call by its exact arguments', async () => {
    const grants: Policy['grants'] = [{ kind: 'exact', tool: 'fs-edit', arguments: '{"new":"y","old":"x","path":"Makefile"}' }]
    const { judge } = await open({ Makefile: 'x z' }, { grants })
    expect((await judge('fs-edit', edit)).verdict).toBe('allow')
    expect((await judge('fs-edit', { ...edit, new: 'z' })).verdict).toBe('confirm')
  })
})

describe('labels of files', () => {
  it('stay with the content, across sessions and under another name', async () => {
    const first = await open({ 'a.txt': 'x', 'b.txt': 'from a page' })
    const change: Change = { path: join(first.root, 'a.txt'), given: 'a.txt', before: null, after: new TextEncoder().encode('from a page') }
    await first.guard.recordLabels([change], new Set(['untrusted:web']))
    const again = await openGuard({ workspace: first.workspace, policy: { attended: true, grants: [], denylist: [], protect: [] }, ownFolders: [first.state] })
    expect(await again.labelsOf('a.txt')).toEqual(['untrusted:web'])
    expect(await again.labelsOf('b.txt')).toEqual(['untrusted:web'])
  })

  it('outlive a line that was cut off', async () => {
    const { guard, root, state, workspace } = await open({ a: 'x' })
    const change: Change = { path: join(root, 'a'), given: 'a', before: null, after: new TextEncoder().encode('x') }
    const policy: Policy = { attended: true, grants: [], denylist: [], protect: [] }
    await guard.recordLabels([change], new Set(['untrusted:web']))
    const file = join(state, 'labels', readdirSync(join(state, 'labels'))[0]!)
    appendFileSync(file, '{"path":"/x","ha')
    const again = await openGuard({ workspace, policy, ownFolders: [state] })
    await again.recordLabels([change], new Set(['secret:b']))
    const third = await openGuard({ workspace, policy, ownFolders: [state] })
    expect(await third.labelsOf('a')).toEqual(['untrusted:web', 'secret:b'])
  })

  it('are never lost unseen', async () => {
    const { guard, root, state, workspace } = await open({ a: 'x' })
    await guard.recordLabels([{ path: join(root, 'a'), given: 'a', before: null, after: new Uint8Array(1) }], new Set(['untrusted:web']))
    const file = join(state, 'labels', readdirSync(join(state, 'labels'))[0]!)
    writeFileSync(file, 'no labels\n')
    await expect(openGuard({ workspace, policy: { attended: true, grants: [], denylist: [], protect: [] }, ownFolders: [state] })).rejects.toThrow(`${file}: line 1 holds no labels`)
  })

  it('are given by the name of a file that holds credentials', async () => {
    const { guard } = await open({ 'sub/.env': 'K=v' })
    expect(await guard.labelsOf('sub/.env')).toEqual(['secret:sub/.env'])
    expect(await guard.labelsOf('sub')).toEqual([])
  })
})

describe('a shell text', () => {
  it.each<[string, ReturnType<typeof parseCommand>]>([
    ['ls -l', [{ words: ['ls', '-l'], redirects: [], expands: false }]],
    [`echo 'a;b' "c d"\\ e`, [{ words: ['echo', 'a;b', 'c d e'], redirects: [], expands: false }]],
    ['a && b', [{ words: ['a'], redirects: [], expands: false }, { words: ['b'], redirects: [], expands: false }]],
    ['a >b 2>&1', [{ words: ['a'], redirects: [{ operator: '>', target: 'b' }, { operator: '2>&', target: '1' }], expands: false }]],
    ['ls *.ts', [{ words: ['ls', '*.ts'], redirects: [], expands: true }]],
    ['X=1 a', [{ words: ['X=1', 'a'], redirects: [], expands: true }]],
    ['', []],
    ['echo $x', null],
    ['echo "$x"', null],
    ['echo `a`', null],
    ['(a)', null],
    ['if a; then b; fi', null],
    ['cat <<E\nE', null],
    ["echo 'a", null],
  ])('%s', (text, commands) => {
    expect(parseCommand(text)).toEqual(commands)
  })
})

describe('laws', () => {
  const text = fc.constantFrom('one', 'x = 1', '', 'א', '# note', `k = '${AWS}'`, GITHUB, `'ghp_FAKEfake0000' + 'DoNotUse1111FAKEfake2222'`, 'a\u202eb')
  const label = fc.constantFrom('untrusted:web', 'secret:.env')
  const path = fc.constantFrom('a.txt', 'src/b.ts', 'Makefile', '.vscode/settings.json')
  const files = { 'a.txt': '<0><1><2><3>', 'src/b.ts': '<0><1><2><3>', Makefile: '<0><1><2><3>', '.vscode/settings.json': '<0><1><2><3>' }
  const editsOf = (texts: string[]): { old: string; new: string }[] => texts.map((replaced, i) => ({ old: `<${i}>`, new: replaced }))
  const granted = { grants: EVERYTHING }

  it('a label never lowers the verdict', async () => {
    const { judge } = await open(files, granted)
    await fc.assert(
      fc.asyncProperty(path, fc.array(text, { minLength: 1, maxLength: 4 }), label, fc.constantFrom('', 'edits', 'edits[0]', 'edits[0].new', 'path'), async (at, texts, some, place) => {
        const args = { path: at, edits: editsOf(texts) }
        expect(rank((await judge('fs-edit', args, { [place]: [some] })).verdict)).toBeGreaterThanOrEqual(rank((await judge('fs-edit', args)).verdict))
      }),
      { numRuns: 60 },
    )
  })

  it('one more edit never lowers the verdict', async () => {
    const { judge } = await open(files, granted)
    await fc.assert(
      fc.asyncProperty(path, fc.array(text, { minLength: 1, maxLength: 3 }), text, async (at, texts, more) => {
        const few = await judge('fs-edit', { path: at, edits: editsOf(texts) })
        const all = await judge('fs-edit', { path: at, edits: editsOf([...texts, more]) })
        expect(rank(all.verdict)).toBeGreaterThanOrEqual(rank(few.verdict))
      }),
      { numRuns: 60 },
    )
  })

  it('a secret in any edit is a security confirm', async () => {
    const { judge } = await open(files, granted)
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 3 }), fc.nat(3), fc.constantFrom(AWS, GITHUB), async (texts, i, secret) => {
        const all = [...texts.slice(0, i), ` ${secret} `, ...texts.slice(i)]
        expect((await judge('fs-edit', { path: 'a.txt', edits: editsOf(all) })).verdict).toBe('security confirm')
      }),
      { numRuns: 60 },
    )
  })

  it('a list of one edit and the edit alone get the same verdict', async () => {
    const { judge } = await open(files, granted)
    await fc.assert(
      fc.asyncProperty(path, text, fc.option(label), async (at, replaced, some) => {
        const labels = some === null ? {} : { '': [some] }
        const list = await judge('fs-edit', { path: at, edits: editsOf([replaced]) }, labels)
        const single = await judge('fs-edit', { path: at, old: '<0>', new: replaced }, labels)
        expect(list.verdict).toBe(single.verdict)
      }),
      { numRuns: 60 },
    )
  })

  it('a protected name never lowers the verdict', async () => {
    const { judge } = await open(files, granted)
    await fc.assert(
      fc.asyncProperty(path, text, fc.option(label), async (at, replaced, some) => {
        const labels = some === null ? {} : { '': [some] }
        const ordinary = await judge('fs-edit', { path: 'a.txt', edits: editsOf([replaced]) }, labels)
        expect(rank((await judge('fs-edit', { path: at, edits: editsOf([replaced]) }, labels)).verdict)).toBeGreaterThanOrEqual(rank(ordinary.verdict))
      }),
      { numRuns: 60 },
    )
  })

  it('a path that leaves the root is denied, however it is spelled', async () => {
    const { judge } = await open(files, granted)
    const part = fc.constantFrom('..', '.', 'src', 'missing', '', 'a')
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        const up = `${'../'.repeat(parts.length + 1)}${parts.join('/')}`
        expect((await judge('fs-read', { path: up })).verdict).toBe('deny')
      }),
      { numRuns: 40 },
    )
  })
})

describe('size', () => {
  it('a hostile payload of 1 MB is judged to its end', async () => {
    const { judge } = await open({}, { grants: EVERYTHING })
    for (const piece of ['some words; "and" + "strings" ', '0123456789abcdef', 'sk-', 'ghp_ AKIA eyJ ', '-----BEGIN PRIVATE KEY-----\n', 'eyJ', 'xoxb-1-', 'aws_secret_', '\\u0041', '"              "', '%41%'])
      expect((await judge('fs-write', { path: 'a.ts', content: piece.repeat(1_000_000 / piece.length) })).verdict).toMatch(/^(allow|security confirm)$/)
  }, 60_000)
})

describe('private keys', () => {
  const verdict = async (content: string): Promise<string> => (await (await open({}, { grants: EVERYTHING })).judge('fs-write', { path: 'k.txt', content })).verdict
  it('an Ed25519 key, one line long, is one', async () => {
    expect(await verdict('-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIKfQ3hWw8zR1tVxJ0mYbUeSgLc5dNaPqXyZkBnTrDoFe\n-----END PRIVATE KEY-----\n')).toBe('security confirm')
  })
  it('words after a header are none', async () => {
    expect(await verdict('A file that begins with -----BEGIN PRIVATE KEY----- is a key and must never be put into a repository by anybody whatever the reason may be')).toBe('allow')
  })
})

describe('commands', () => {
  const verdict = async (grants: Grant[], args: Record<string, unknown>): Promise<string> => (await (await open({ 'src/a.js': '' }, { grants })).judge('exec', args)).verdict
  const npm: Grant = { kind: 'exec', argv: ['npm', 'test'] }
  it('without a grant each is an ordinary confirm', async () => {
    for (const command of ['echo $HOME', 'for f in *; do cat $f; done', 'node -e 1', 'timeout 60 npm test', 'npx vitest']) expect(await verdict([], { command })).toBe('confirm')
  })
  it('with a grant, what could slip through under it is a security confirm', async () => {
    const node: Grant = { kind: 'exec', argv: ['node'] }
    for (const command of ['node $X', 'node --eval=1', 'node --import=./x.js a.js', 'node -e 1']) expect(await verdict([node], { command })).toBe('security confirm')
    expect(await verdict([node], { command: 'node a.js' })).toBe('allow')
  })
  it('a grant holds in the root alone', async () => {
    expect(await verdict([npm], { command: 'npm test' })).toBe('allow')
    expect(await verdict([npm], { command: 'npm test', cwd: 'src' })).toBe('confirm')
  })
  it('what shows the environment is a security confirm whatever is granted', async () => {
    for (const command of ['env', 'printenv', '/usr/bin/env']) expect(await verdict([], { command })).toBe('security confirm')
  })
})
