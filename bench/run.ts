// Times the programs of bench/program side by side: this engine, other builds of it, the same by hand in
// JavaScript, other Schemes hosted in JavaScript, and compiled Guile and Chez where the machine has them.
// Prints milliseconds and how many times ours they are; README.md tells how it measures.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { javascript } from './javascript.ts'
import { findChez, findGuile } from './native.ts'
import type { Figure } from './time.ts'

const HERE = import.meta.dirname
const HOSTED = ['biwascheme', '@jcubic/lips']
/** Seconds that a process may take beside the limit, to start and to compile. */
const START = 5
const HELP = `npm run bench -- [options]
  --only fib,tak        these programs alone
  --against guile,chez  beside these alone: javascript biwascheme lips guile chez; none: beside nothing
  --engine FILE         beside another build of this engine too, such as a kept copy of dist/scheme.js
  --ours FILE           this build as ours, instead of the source
  --rounds N            the best of N rounds, or of a second's, counts (5)
  --limit SECONDS       a round that takes longer is stopped (20)
  --json FILE           the figures as JSON too`

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    against: { type: 'string' },
    engine: { type: 'string' },
    ours: { type: 'string', default: join(HERE, '../src/engine/index.ts') },
    rounds: { type: 'string', default: '5' },
    limit: { type: 'string', default: '20' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
})
const OURS = resolve(options.ours)
const rounds = Number(options.rounds)
const limit = Number(options.limit)
const only = options.only?.split(',')
const against = options.against?.split(',')

interface Implementation {
  /** Absent: it is that of node. */
  version?: string
  /** undefined: there is no such program for it. */
  time(program: string): Figure | undefined
}

function start(command: string, args: string[]): Figure {
  const { stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: (limit + START) * 1000, killSignal: 'SIGKILL' })
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT') return { over: limit * 1000 }
  const line = stdout.trim().split('\n').at(-1) ?? ''
  if (line.startsWith('{')) return JSON.parse(line) as Figure
  return { fails: (stderr || stdout).trim().split('\n')[0] || 'it ended without a figure' }
}

function inNode(kind: string, program: string, flags: string[] = []): Figure {
  return start(process.execPath, [...flags, join(HERE, 'time.ts'), kind, program, String(rounds), String(limit)])
}

/** Those that the machine has and the options ask for, by name, in the order of their columns. */
function findOthers(scratch: string): Map<string, Implementation> {
  const others = new Map<string, Implementation>()
  const wanted = (name: string): boolean => !against || against.includes(name)
  if (wanted('javascript'))
    others.set('javascript', { time: (program) => (basename(program, '.scm') in javascript ? inNode('javascript', program) : undefined) })
  for (const name of HOSTED) {
    const kind = basename(name)
    const manifest = join(HERE, 'node_modules', name, 'package.json')
    if (!wanted(kind)) continue
    if (!existsSync(manifest)) console.log(`without ${kind}; to install it: npm --prefix bench install`)
    // They recur on JavaScript's stack, so they get a large one.
    else others.set(kind, { version: (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version, time: (program) => inNode(kind, program, ['--stack-size=3900']) })
  }
  for (const [name, findNative] of Object.entries({ guile: findGuile, chez: findChez })) {
    const native = wanted(name) ? findNative() : null
    if (!native) continue
    others.set(name, {
      version: native.version,
      time(program) {
        const [command, ...args] = native.command(program, scratch, rounds, limit * 1000)
        return start(command!, args)
      },
    })
  }
  return others
}

/** Ours, and the other build, if one is to be compared: each in two processes in turn, the better counts,
 * since what one process happens to compile and when it collects differs from one to the next. */
function timeEngines(program: string): { ours: Figure; engine?: Figure } {
  const ours = inNode(OURS, program)
  if (!options.engine) return { ours }
  const engine = inNode(resolve(options.engine), program)
  return { ours: better(ours, inNode(OURS, program)), engine: better(engine, inNode(resolve(options.engine), program)) }
}

function better(one: Figure, other: Figure): Figure {
  if (!('ms' in one)) return one
  return 'ms' in other && other.ms > one.ms ? one : other
}

/** How many times ours: at least so many where the limit ended it; null where there is nothing to compare. */
function ratio(figure: Figure | undefined, ours: Figure): { times: number; atLeast: boolean } | null {
  if (!figure || !('ms' in ours)) return null
  if ('ms' in figure) return { times: figure.ms / ours.ms, atLeast: false }
  return 'over' in figure ? { times: figure.over / ours.ms, atLeast: true } : null
}

function mean(ratios: { times: number; atLeast: boolean }[]): string {
  if (ratios.length === 0) return ''
  const times = Math.exp(ratios.reduce((sum, { times }) => sum + Math.log(times), 0) / ratios.length)
  return showTimes({ times, atLeast: ratios.some(({ atLeast }) => atLeast) })
}

function showTimes({ times, atLeast }: { times: number; atLeast: boolean }): string {
  return `${atLeast ? '>' : ''}${times.toFixed(times < 100 ? 2 : 0)}`
}

function show(figure: Figure | undefined): string {
  if (!figure) return ''
  if ('ms' in figure) return figure.ms.toFixed(1)
  if ('over' in figure) return `>${figure.over / 1000} s`
  return 'wrong' in figure ? 'WRONG' : 'fails'
}

function printRow(first: string, ours: string, cells: [string, string][]): void {
  const columns = cells.map(([ms, times]) => ms.padStart(12) + times.padStart(8))
  console.log([first.padEnd(10), ours.padStart(9), ...columns].join('').trimEnd())
}

function run(scratch: string): void {
  const others = findOthers(scratch)
  const names = [...(options.engine ? ['engine'] : []), ...others.keys()]
  const versions: Record<string, string> = { node: process.versions.node }
  for (const [name, { version }] of others) if (version) versions[name] = version
  console.log(Object.entries(versions).map((pair) => pair.join(' ')).join(', '))
  printRow('program', 'ours ms', names.map((name) => [name, 'times']))
  const programs: Record<string, Record<string, Figure>> = {}
  for (const file of readdirSync(join(HERE, 'program')).toSorted()) {
    const name = basename(file, '.scm')
    if (only && !only.includes(name)) continue
    const program = join(HERE, 'program', file)
    const figures: Record<string, Figure> = timeEngines(program)
    for (const [name, { time }] of others) {
      const figure = time(program)
      if (figure) figures[name] = figure
    }
    programs[name] = figures
    const times = (name: string): string => {
      const compared = ratio(figures[name], figures['ours']!)
      return compared ? showTimes(compared) : ''
    }
    printRow(name, show(figures['ours']), names.map((name) => [show(figures[name]), times(name)]))
    if (!('ms' in figures['ours']!) || Object.values(figures).some((figure) => 'wrong' in figure)) process.exitCode = 1
  }
  printRow('mean', '', names.map((name) => ['', mean(Object.values(programs).flatMap((figures) => ratio(figures[name], figures['ours']!) ?? []))]))
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ versions, rounds, limit, programs }, null, 2)}\n`)
}

if (options.help) console.log(HELP)
else if (!existsSync(resolve(HERE, '../src/engine/prelude.js'))) {
  console.error('what the engine has in Scheme is not compiled yet; to do that: node build.ts')
  process.exitCode = 1
} else {
  const scratch = mkdtempSync(join(tmpdir(), 'bench-'))
  try {
    run(scratch)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
