// Standing approvals: what they cover and what not, for how long they hold, and how seldom a person is asked.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Approvals } from '../src/session/approval.ts'
import { defaultConfig } from '../src/session/config.ts'
import { toolTable } from '../src/tool/tool-table.ts'
import { makeFolder, play, readText, type Played } from './help.ts'

process.env['NODWYN_SANDBOX'] = 'off'

function call({ session }: Played, name: string, args: object) {
  return session.callAsModel(name, JSON.stringify(args))
}

describe('a card offers to approve', () => {
  const offered = async (name: string, args: object): Promise<string[]> => {
    const played = await play({ 'src/a.ts': 'one\n', 'b.txt': 'b\n' }, [], { answers: ['no'] })
    await call(played, name, args)
    return played.cards[0]!.offers.map(({ text }) => text)
  }
  for (const [name, args, want] of [
    ['fs-edit', { path: 'src/a.ts', old: 'one', new: 'two' }, ['fs-edit on src/a.ts', 'fs-edit on src/**']],
    ['fs-write', { path: 'b.txt', content: 'x' }, ['fs-write on b.txt', 'fs-write on all files here']],
    ['fs-write', { path: 'src/[a].ts', content: 'x' }, []],
    ['fs-move', { from: 'b.txt', to: 'c.txt' }, []],
    ['exec', { argv: ['npm', 'test', '--silent'] }, ['exactly this: npm test --silent', 'npm test …, with any plain arguments']],
    ['exec', { command: 'ls $(x)' }, []],
    ['exec', { argv: ['sh', '-c', 'ls'] }, []],
    ['net-fetch', { url: 'https://docs.example/a' }, ['net-fetch from docs.example']],
    ['git-commit', { message: 'x' }, []],
  ] as const)
    it(`${name} ${JSON.stringify(args)}: ${want.length} ways`, async () => expect(await offered(name, args)).toEqual(want))

  it('nothing of a security confirm', async () => {
    expect(await offered('fs-write', { path: '.envrc', content: 'x' })).toEqual([])
  })
})

describe('an approval', () => {
  it('holds for what it names, and for nothing graver', async () => {
    const played = await play({ 'src/a.ts': '1', 'src/b.ts': '1', 'c.ts': '1' }, [], { answers: [{ always: 1, scope: 'session' }, false, false, false] })
    expect((await call(played, 'fs-write', { path: 'src/a.ts', content: '2' })).ok).toBe(true)
    expect((await call(played, 'fs-write', { path: 'src/b.ts', content: '2' })).ok).toBe(true)
    expect(played.cards).toHaveLength(1)
    for (const [path, content] of [['c.ts', '2'], ['src/.envrc', 'x'], ['src/k.ts', "k = 'AKIAFAKEDONOTUSEKEY2'"]]) expect((await call(played, 'fs-write', { path, content })).ok, path).toBe(false)
    expect(played.cards.map(({ kind }) => kind)).toEqual(['ordinary', 'ordinary', 'security', 'security'])
    expect(played.events.flatMap((event) => (event.type === 'note' ? [event.text] : []))).toEqual(['approved for the session: fs-write on src/**'])
  })

  it('of a session ends with it; of a project holds in the next one, and is revoked', async () => {
    const first = await play({ 'a.txt': '1' }, [], { answers: [{ always: 0, scope: 'session' }, { always: 0, scope: 'project' }] })
    await call(first, 'fs-write', { path: 'a.txt', content: '2' })
    await call(first, 'fs-write', { path: 'b.txt', content: '2' })
    const next = await play({}, [], { answers: [false, false], cwd: first.root, state: first.state })
    expect((await call(next, 'fs-write', { path: 'a.txt', content: '3' })).ok).toBe(false)
    expect((await call(next, 'fs-write', { path: 'b.txt', content: '3' })).ok).toBe(true)
    expect(next.session.approvals().map(({ text, scope }) => `${text} ${scope}`)).toEqual(['fs-write on b.txt project'])
    expect(next.session.revoke(2)).toBe(null)
    expect(next.session.revoke(1)?.text).toBe('fs-write on b.txt')
    expect((await call(next, 'fs-write', { path: 'b.txt', content: '4' })).ok).toBe(false)
    expect(new Approvals(first.state, first.root, [], toolTable()).all()).toEqual([])
  })

  it('of a command holds for that command in that folder', async () => {
    const played = await play({ 'd/x': '' }, [], { answers: [{ always: 0, scope: 'session' }, false, false, false] })
    expect((await call(played, 'exec', { argv: ['echo', 'a b'], description: 'say it' })).ok).toBe(true)
    expect((await call(played, 'exec', { argv: ['echo', 'a b'], timeout: 5 })).ok).toBe(true)
    expect(played.cards).toHaveLength(1)
    for (const args of [{ argv: ['echo', 'a', 'b'] }, { argv: ['echo', 'a b'], cwd: 'd' }, { command: 'echo a b' }]) expect((await call(played, 'exec', args)).ok).toBe(false)
  })

  it('of a command ends when the files that say what it does change, and not when others do', async () => {
    const manifest = { scripts: { test: 'node t.js' }, version: '1' }
    const played = await play({ 'package.json': JSON.stringify(manifest), 'x.sh': 'echo 1\n', 'y.txt': '' }, [], { answers: [{ always: 0, scope: 'session' }, { always: 0, scope: 'session' }, false, false] })
    const [npm, script] = [{ argv: ['npm', 'run', 'nothing'] }, { argv: ['sh', 'x.sh'] }]
    for (const args of [npm, script]) await call(played, 'exec', args)
    writeFileSync(join(played.root, 'package.json'), JSON.stringify({ ...manifest, version: '2' }))
    writeFileSync(join(played.root, 'y.txt'), 'changed')
    for (const args of [npm, script]) await call(played, 'exec', args)
    expect(played.cards).toHaveLength(2)
    writeFileSync(join(played.root, 'package.json'), JSON.stringify({ scripts: { test: 'node x.js' } }))
    writeFileSync(join(played.root, 'x.sh'), 'echo 2\n')
    for (const args of [npm, script]) expect(await call(played, 'exec', args)).toMatchObject({ ok: false, kind: 'refused' })
    expect(played.cards).toHaveLength(4)
  })

  it('has ended where the tool is declared otherwise, is of another folder, or cannot be read', () => {
    const state = makeFolder()
    const offer = { grant: { kind: 'write' as const, tool: 'fs-write', path: 'a' }, text: 'fs-write on a' }
    new Approvals(state, '/w', [], toolTable()).add(offer, 'project')
    expect(new Approvals(state, '/w', [], toolTable()).grants).toEqual([offer.grant])
    expect(new Approvals(state, '/v', [], toolTable()).grants).toEqual([])
    const file = join(state, 'approvals', readdirSync(join(state, 'approvals'))[0]!)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(/"definition": "\w+"/, '"definition": "0"'))
    expect(new Approvals(state, '/w', [], toolTable()).grants).toEqual([])
    for (const broken of ['', '{', '{"root": "/w", "approvals": [1, {}, {"grant": null}]}']) {
      writeFileSync(file, broken)
      expect(new Approvals(state, '/w', [], toolTable()).grants).toEqual([])
    }
  })

  it('cannot be written by a tool', async () => {
    const played = await play({}, [], { config: { ...defaultConfig(), grants: [{ kind: 'write', tool: 'fs-*', path: '**' }] } })
    expect(await call(played, 'fs-write', { path: join(played.state, 'approvals/x.json'), content: '{}' })).toMatchObject({ ok: false, kind: 'refused' })
  })
})

describe('a session of 40 edits under one folder', () => {
  it('asks at most twice of a person who says always', async () => {
    const files = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`src/${i < 4 ? '' : 'part/'}file${i}.ts`, 'const a = 0\n']))
    const played = await play(files, [], { answers: [{ always: 1, scope: 'session' }, { always: 1, scope: 'session' }] })
    const names = Object.keys(files)
    for (let i = 0; i < 40; i++) {
      const path = names[i % names.length]!
      const old = /= \d+/.exec(readText(played.root, path))![0]
      expect(await call(played, 'fs-edit', { path, old, new: `= ${i + 1}` })).toMatchObject({ ok: true })
    }
    expect(played.cards).toHaveLength(1)
  })
})
