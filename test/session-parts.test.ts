// The parts of a session that need no engine: log, configuration, turns, the project's check.

import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { detectCheck } from '../src/session/check-command.ts'
import { loadConfig } from '../src/session/config.ts'
import { Log, listSessions, makeSessionId, readLog } from '../src/session/log.ts'
import { Turns } from '../src/session/turns.ts'
import { makeFolder } from './help.ts'

describe('the log', () => {
  it('numbers its events without gaps, one a line, readable by its owner alone', () => {
    const folder = makeFolder()
    const log = new Log(folder, 's1')
    log.append('main', { type: 'input', text: 'a\nb', kind: 'task' })
    log.append('side', { type: 'note', level: 'info', text: 'x' })
    log.close()
    expect(readLog(log.file).map(({ seq, ctx, type, session, v }) => ({ seq, ctx, type, session, v }))).toEqual([
      { seq: 0, ctx: 'main', type: 'input', session: 's1', v: 1 },
      { seq: 1, ctx: 'side', type: 'note', session: 's1', v: 1 },
    ])
    expect(readFileSync(log.file, 'utf8').split('\n')).toHaveLength(3)
    expect(statSync(log.file).mode & 0o777).toBe(0o600)
  })

  it('leaves no file where nothing happened', () => {
    const folder = makeFolder()
    new Log(folder, 's1').close()
    expect(existsSync(join(folder, 's1.jsonl'))).toBe(false)
  })

  it('removes a last line that was cut off, and goes on counting', () => {
    const folder = makeFolder()
    const log = new Log(folder, 's1')
    log.append('main', { type: 'input', text: 'a', kind: 'task' })
    log.close()
    appendFileSync(log.file, '{"v":1,"t":"2026-')
    expect(readLog(log.file)).toHaveLength(1)
    const again = new Log(folder, 's1')
    again.append('main', { type: 'input', text: 'b', kind: 'task' })
    again.close()
    expect(readLog(log.file).map(({ seq }) => seq)).toEqual([0, 1])
  })

  it('gives ids that sort by time', () => {
    const ids = [1_700_000_000_000, 1_700_000_000_001, 1_800_000_000_000].map((now) => makeSessionId(now).slice(0, 8))
    expect([...ids].sort()).toEqual(ids)
    expect(makeSessionId(1_800_000_000_000)).toMatch(/^[0-9a-z]{10}$/)
    expect(listSessions(join(makeFolder(), 'none'))).toEqual([])
  })
})

describe('the configuration', () => {
  const problem = (text: string, field = ''): string => {
    const file = join(makeFolder({ 'c.json': text }), 'c.json')
    try {
      loadConfig(makeFolder(), file)
      return 'none'
    } catch (error) {
      return (error as Error).message.replace(file, 'c.json') + field
    }
  }

  it('has limits where nothing is set', () => {
    const folder = makeFolder({ 'c.json': '{}' })
    expect(loadConfig(makeFolder(), join(folder, 'c.json')).limits).toEqual({ requests: 100, tokens: 20_000_000, seconds: 3600, checkRounds: 3 })
  })

  it('takes a check as words or as a vector', () => {
    const folder = makeFolder({ 'a.json': '{"check": "npm run  lint"}', 'b.json': '{"check": ["make", "-k"]}' })
    expect(loadConfig(folder, join(folder, 'a.json')).check).toEqual(['npm', 'run', 'lint'])
    expect(loadConfig(folder, join(folder, 'b.json')).check).toEqual(['make', '-k'])
  })

  it('says what is wrong with a file', () => {
    expect(problem('{')).toBe('c.json: is no valid JSON')
    expect(problem('[]')).toBe('c.json: must hold an object, got []')
    expect(problem('{"model": 42}')).toBe('c.json: model must be a string, got 42')
    expect(problem('{"modle": "x"}')).toBe('c.json: unknown field modle')
    expect(problem('{"limits": {"requests": -1}}')).toBe(
      'c.json: limits must be an object of positive numbers (requests, tokens, seconds, checkRounds), got {"requests":-1}',
    )
    expect(problem('{"protect": [{"glob": "a", "verdict": "allow"}]}')).toBe(
      'c.json: protect must be a list of {"glob", "verdict"}, got [{"glob":"a","verdict":"allow"}]',
    )
  })

  it('lets a project tighten and nothing else', () => {
    const cwd = makeFolder({
      '.nodwyn.json': JSON.stringify({
        model: 'ollama:evil',
        grants: [{ kind: 'exec', argv: ['sh'] }],
        denylist: ['secret/**'],
        limits: { requests: 5, tokens: 1e12 },
      }),
    })
    const own = join(makeFolder({ 'c.json': '{"denylist": ["*.key"], "model": "ollama:mine"}' }), 'c.json')
    const { model, grants, denylist, limits, warnings } = loadConfig(cwd, own)
    expect({ model, grants, denylist }).toEqual({ model: 'ollama:mine', grants: [], denylist: ['*.key', 'secret/**'] })
    expect(limits).toEqual({ requests: 5, tokens: 20_000_000, seconds: 3600, checkRounds: 3 })
    expect(warnings).toEqual([
      ".nodwyn.json: model is ignored: a project's file can set denylist, protect, limits",
      ".nodwyn.json: grants is ignored: a project's file can set denylist, protect, limits",
    ])
  })
})

describe('the check of a project', () => {
  const detects = async (files: Record<string, string>, command: string[] | null): Promise<void> =>
    expect(await detectCheck(makeFolder(files))).toEqual(command)

  it('is what its files say', async () => {
    await detects({}, null)
    await detects({ 'package.json': '{"scripts": {"test": "vitest"}}' }, ['npm', 'test', '--silent'])
    await detects({ 'package.json': '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}' }, null)
    await detects({ 'package.json': 'no json', Makefile: 'all:\n\ntest:\n\ttrue\n' }, ['make', 'test'])
    await detects({ Makefile: 'test:\n\ttrue\ncheck: test\n' }, ['make', 'check'])
    await detects({ 'go.mod': 'module x\n' }, ['go', 'test', './...'])
  })
})

describe('turns', () => {
  it('keep the order of those who take one file, and let others by', async () => {
    const turns = new Turns()
    const seen: string[] = []
    const leaveFirst = await turns.take(['a'])
    const second = turns.take(['a', 'b']).then((leave) => {
      seen.push('second')
      leave()
    })
    const third = turns.take(['b']).then(() => seen.push('third'))
    await turns.take(['c'])
    expect(seen).toEqual([])
    leaveFirst()
    await Promise.all([second, third])
    expect(seen).toEqual(['second', 'third'])
  })
})
