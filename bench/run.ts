// Times the programs of bench/program side by side: this engine, other Schemes hosted in JavaScript, the
// same by hand in JavaScript, and compiled Guile and Chez where the machine has them. Prints how many
// times our time each takes; `npm run bench -- --help` lists the options.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const HERE = import.meta.dirname
const OURS = resolve(HERE, '../dist/scheme.js')
const HELP = `npm run bench -- [options]
  --only fib,tak        these programs alone
  --against guile,chez  beside these alone: javascript biwascheme lips guile chez; none: beside nothing
  --engine FILE         beside another build of this engine (a file like dist/scheme.js) as well
  --rounds N            the best of N rounds, or of a second's, counts (5)
  --limit SECONDS       what takes longer is stopped (20)
  --json FILE           the figures as JSON too`

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    against: { type: 'string' },
    engine: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    limit: { type: 'string', default: '20' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
})

/** Best round in milliseconds, or why there is none. */
type Figure = { ms: number } | { fails: string } | { wrong: true } | { over: number }

const limit = Number(options.limit)
const scratch = mkdtempSync(join(tmpdir(), 'bench-'))

function start(command: string, args: string[]): Figure {
  const { stdout, stderr, error, signal } = spawnSync(command, args, { encoding: 'utf8', timeout: limit * 1000, killSignal: 'SIGKILL' })
  if (signal === 'SIGKILL' || (error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT') return { over: limit }
  const line = stdout.trim().split('\n').at(-1) ?? ''
  if (line.startsWith('{')) return JSON.parse(line) as Figure
  return { fails: (stderr || stdout).trim().split('\n')[0] ?? 'no output' }
}

function inNode(kind: string, program: string): Figure {
  return start(process.execPath, ['--stack-size=3900', join(HERE, 'time.ts'), kind, program, options.rounds])
}

/** The program with a loop around it that prints the best round, for a Scheme that is a program. */
function timed(program: string, clock: string): string {
  return `${readFileSync(program, 'utf8')}
${clock}
(define (best-of n)
  (let loop ((i 0) (best 1e9) (right #t))
    (if (= i n)
        (if right best #f)
        (let* ((start (milliseconds)) (result (run)) (took (- (milliseconds) start)))
          (loop (+ i 1) (min best took) (and right (equal? result expected)))))))
(let ((best (best-of ${options.rounds})))
  (display (if best (string-append "{\\"ms\\":" (number->string (+ 0. (/ (round (* 1000. best)) 1000.))) "}") "{\\"wrong\\":true}"))
  (newline))
`
}

function guile(program: string): Figure {
  const source = join(scratch, basename(program))
  const compiled = `${source}.go`
  writeFileSync(source, timed(program, '(define (milliseconds) (/ (* 1000. (get-internal-real-time)) internal-time-units-per-second))'))
  const text = `(use-modules (system base compile)) (load-compiled (compile-file "${source}" #:output-file "${compiled}" #:optimization-level 2))`
  return start('guile', ['--no-auto-compile', '-c', text])
}

function chez(program: string): Figure {
  const source = join(scratch, `${basename(program)}.ss`)
  const clock = "(define (milliseconds) (let ((t (current-time 'time-monotonic))) (+ (* 1000. (time-second t)) (/ (time-nanosecond t) 1e6))))"
  writeFileSync(source, timed(program, clock))
  return start(CHEZ!, ['--optimize-level', '2', '--script', source])
}

const isThere = (command: string): boolean => spawnSync(command, ['--version']).error === undefined
const CHEZ = ['chezscheme', 'chez', 'scheme'].find(isThere)
const others = new Map<string, (program: string) => Figure>()
if (options.engine) others.set('engine', (program) => inNode(resolve(options.engine!), program))
others.set('javascript', (program) => inNode('javascript', program))
if (existsSync(join(HERE, 'node_modules'))) for (const kind of ['biwascheme', 'lips']) others.set(kind, (program) => inNode(kind, program))
else console.log('for biwascheme and lips: npm --prefix bench ci')
if (isThere('guile')) others.set('guile', guile)
if (CHEZ) others.set('chez', chez)
const chosen = options.against?.split(',')
for (const name of others.keys()) if (chosen && name !== 'engine' && !chosen.includes(name)) others.delete(name)

function shown(figure: Figure, ours: Figure): string {
  if ('over' in figure) return `>${figure.over} s`
  if ('wrong' in figure) return 'WRONG'
  if ('fails' in figure) return figure.fails === 'not written by hand' ? '' : 'fails'
  return 'ms' in ours ? `${(figure.ms / ours.ms).toFixed(2)}` : figure.ms.toFixed(1)
}

/** What divides ours into as many times as a figure says; a program that was stopped counts with its limit. */
function ratio(figure: Figure, ours: Figure): number | null {
  if (!('ms' in ours)) return null
  return 'ms' in figure ? figure.ms / ours.ms : 'over' in figure ? (figure.over * 1000) / ours.ms : null
}

function run(): void {
  const only = options.only?.split(',')
  const programs = readdirSync(join(HERE, 'program')).filter((name) => !only || only.includes(basename(name, '.scm')))
  const row = (first: string, ms: string, rest: string[]) => console.log([first.padEnd(12), ms.padStart(9), ...rest.map((text) => text.padStart(12))].join(''))
  row('program', 'ms', [...others.keys()])
  const all: Record<string, Record<string, Figure>> = {}
  for (const file of programs) {
    const program = join(HERE, 'program', file)
    const ours = inNode(OURS, program)
    const figures = Object.fromEntries([...others].map(([name, time]) => [name, time(program)]))
    all[basename(file, '.scm')] = { ours, ...figures }
    row(basename(file, '.scm'), 'ms' in ours ? ours.ms.toFixed(1) : shown(ours, ours), Object.values(figures).map((figure) => shown(figure, ours)))
    if (!('ms' in ours)) process.exitCode = 1
  }
  const means = [...others.keys()].map((name) => {
    const ratios = Object.values(all).flatMap((figures) => ratio(figures[name]!, figures['ours']!) ?? [])
    return ratios.length === 0 ? '' : Math.exp(ratios.reduce((sum, one) => sum + Math.log(one), 0) / ratios.length).toFixed(2)
  })
  row('mean', '', means)
  console.log('times our time; the mean is the geometric one of those that ran, with the limit where one was stopped')
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ node: process.version, rounds: Number(options.rounds), programs: all }, null, 2)}\n`)
}

try {
  if (options.help) console.log(HELP)
  else run()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
