// exec without a sandbox, and what is under it: nothing that it starts outlives it, its output is bounded
// and well formed.

import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bindByName } from '../src/tool/bind.ts'
import { BoundedText } from '../src/tool/bounded-text.ts'
import { exec } from '../src/tool/exec.ts'
import { fromPlain, toPlain } from '../src/tool/json.ts'
import { openWorkspace } from '../src/tool/open.ts'
import type { ToolContext } from '../src/tool/prim.ts'
import { makeFolder } from './help.ts'

process.env['NODWYN_SANDBOX'] = 'off'

interface Used {
  text: string
  value: unknown
  progress: string[]
}

async function use(given: object, signal = new AbortController().signal, root = makeFolder()): Promise<Used> {
  const workspace = await openWorkspace(root, { state: makeFolder() })
  const progress: string[] = []
  const context = { workspace, signal, progress: (text: string) => progress.push(text) } as unknown as ToolContext
  const { text, value } = await exec.run!(bindByName(exec, fromPlain(given)).args, context)
  return { text, value: toPlain(value!), progress }
}

async function refusal(given: object): Promise<string> {
  return use(given).then(
    () => 'done',
    (error: Error) => error.message,
  )
}

/** How many processes run with these words on their command line. */
function running(words: string): number {
  const all = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  return all.split('\n').filter((line) => line.startsWith(words)).length
}

describe('what a call starts', () => {
  it('and leaves in the background is ended with it, said, and the output is whole', async () => {
    const { text } = await use({ command: 'sleep 711 & setsid sleep 712 >/dev/null 2>&1 & seq 1 2000; echo end' })
    expect(text).toMatch(/^exit code 0; 2 processes that it left running ended too\n1\n2\n/)
    expect(text.endsWith('\n2000\nend\n')).toBe(true)
    expect(running('sleep 71')).toBe(0)
  })

  it('ends within 100 ms of a stop, also where it left the group or will not hear', async () => {
    const controller = new AbortController()
    const stubborn = `trap '' TERM; setsid sleep 721 & (trap '' TERM; sleep 722) & while true; do sleep 723; done`
    const call = expect(use({ command: stubborn }, controller.signal)).rejects.toThrow('stop')
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(running('sleep 72')).toBe(3)
    controller.abort(new Error('stop'))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(running('sleep 72')).toBe(0)
    await call
  })

  it('may clean up when its time is over', async () => {
    const root = makeFolder()
    const { text, value } = await use({ command: `trap 'echo cleaned; exit 5' TERM; echo on; sleep 731 & wait`, timeout: 1 }, undefined, root)
    expect(text).toBe('ended after 1 seconds\non\ncleaned\n')
    expect(value).toEqual({ code: 5, output: 'on\ncleaned\n' })
  })

  it('gets no input to wait for', async () => {
    expect((await use({ argv: ['cat'] })).text).toBe('exit code 0, no output')
  })

  it('that is ended by a signal has the code -1', async () => {
    expect(await use({ command: 'kill -9 $$' })).toEqual({ text: 'ended by SIGKILL, no output', value: { code: -1, output: '' }, progress: [] })
  })

  it('gets words as they are', async () => {
    const words = ['a b', '$HOME', '*', "it's", '"', '\\', '', 'ö😀\n']
    expect((await use({ argv: ['printf', '%s|', ...words] })).value).toEqual({ code: 0, output: words.map((word) => `${word}|`).join('') })
  })

  it('is shown while it runs, not more often than an eye can follow', async () => {
    const { progress } = await use({ command: 'seq 1 100000; sleep 0.3; echo last' })
    expect(progress.at(-1)).toBe('last')
    expect(progress.length).toBeLessThan(10)
  })

  for (const [given, want] of [
    [{ argv: [''] }, 'argv[0] must name a program, got ""'],
    [{ argv: ['echo', 'a\0b'] }, 'an argument holds a NUL byte'],
    [{ command: 'echo \0' }, 'an argument holds a NUL byte'],
    [{ argv: ['echo', '\ud800'] }, 'an argument holds half a character (a lone surrogate)'],
    [{ argv: ['/etc/passwd'] }, '/etc/passwd could not be started (it is no program, or may not be run)'],
    [{ argv: ['echo', 'x'.repeat(3_000_000)] }, 'echo could not be started (its arguments are too long)'],
    [{ argv: ['ls'], timeout: 0.5 }, 'timeout must be an integer, got 0.5'],
    [{ argv: ['ls'], timeout: -1 }, 'timeout must be from 1 to 3600 seconds, got -1'],
  ] as const) {
    it(`${JSON.stringify(given).slice(0, 50)} is refused`, async () => {
      expect(await refusal(given)).toBe(want)
    })
  }
})

describe('long output', () => {
  it('keeps head and tail, is well formed, and says how much is left out', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', 'ö', '😀', '\n'), maxLength: 60 })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const whole = pieces.join('')
        const text = new BoundedText(40, 60)
        for (const one of pieces) text.add(one)
        const got = text.text()
        expect(got.isWellFormed()).toBe(true)
        if (whole.length <= 100) {
          expect(got).toBe(whole)
          return
        }
        const [, head, dropped, tail] = /^([\s\S]*?)\n?… (\d+) characters left out …\n([\s\S]*)$/.exec(got)!
        expect(whole.startsWith(head!)).toBe(true)
        expect(whole.endsWith(tail!)).toBe(true)
        const kept = whole.length - Number(dropped)
        expect([head!.length + tail!.length, head!.length + tail!.length + 1]).toContain(kept)
      }),
    )
  })
})
