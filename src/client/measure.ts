// `nodwyn measure`: the figures of event logs, for people as a table or a page, for programs as JSON.

import { readFileSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compare, type Comparison } from '../measure/compare.ts'
import { DEFINITIONS, type Definition, type FigureName } from '../measure/figure.ts'
import { readLines, type Problem } from '../measure/log-lines.ts'
import { Tally, type Measured, type Shape } from '../measure/tally.ts'
import { ToolError } from '../session/report.ts'
import { colorsFor } from './colour.ts'
import { EXIT } from './exit-code.ts'
import { measurePage } from './measure-page.ts'
import { shownFigure, shownNumber } from './shown-figure.ts'
import { visible } from './visible.ts'

export interface MeasureOptions {
  against?: string[]
  resolved?: string
  againstResolved?: string
  json?: boolean
  explain?: boolean
  html?: string
}

/** How many lines that cannot be read are named. */
const MOST_NAMED = 20

export function measure(logs: string[], { against, resolved, againstResolved, json, explain, html }: MeasureOptions): number {
  if (explain) return explained()
  if (logs.length === 0) throw new ToolError('contract', 'missing argument LOG', { help: 'nodwyn measure LOG… [--against LOG…]; a LOG is a file of events, or a folder of them' })
  if (againstResolved !== undefined && !against) throw new ToolError('contract', '--against-resolved needs --against')
  const solved = resolved === undefined ? null : resolvedIds(resolved)
  const run = measured(logs, solved)
  if (html !== undefined) writeFileSync(html, measurePage(run.figures, run.shape))
  if (against) {
    const other = measured(against, againstResolved === undefined ? null : resolvedIds(againstResolved))
    const comparison = compare(run.figures, other.figures, solved, againstResolved === undefined ? null : resolvedIds(againstResolved))
    if (json) process.stdout.write(`${JSON.stringify({ ...run.figures, against: other.figures, comparison })}\n`)
    else writeComparison(comparison)
  } else if (json) process.stdout.write(`${JSON.stringify(run.figures)}\n`)
  else writeTable(run.figures)
  if (html !== undefined) process.stderr.write(`written: ${html}\n`)
  return EXIT.done
}

function measured(logs: string[], solved: ReadonlySet<string> | null): { figures: Measured; shape: Shape } {
  const files = filesOf(logs)
  const tally = new Tally()
  const problems: Problem[] = []
  let unread = 0
  const progress = progressOf(files)
  for (const file of files)
    readLines(file, {
      object: (event) => tally.add(event),
      problem: (problem) => {
        if (++unread <= MOST_NAMED) problems.push(problem)
      },
      progress,
    })
  progress(0, true)
  for (const { file, line, what } of problems) process.stderr.write(`${visible(file)}:${line}: ${visible(what)}\n`)
  if (unread > 0) process.stderr.write(`${unread} line${unread === 1 ? '' : 's'} could not be read${unread > MOST_NAMED ? `, of which ${MOST_NAMED} are named` : ''}\n`)
  return { figures: tally.figures(solved), shape: tally.shape() }
}

/** Files as they are given, and all .jsonl files of the folders; each once. */
function filesOf(logs: string[]): string[] {
  const found = logs.flatMap((log) => {
    if (!statSync(log).isDirectory()) return [log]
    const inside = readdirSync(log, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl')).sort()
    if (inside.length === 0) throw new ToolError('contract', `${log}: no .jsonl files in this folder`)
    return inside.map((name) => join(log, name))
  })
  const seen = new Set<string>()
  return found.filter((file) => {
    const real = realpathSync(file)
    return !seen.has(real) && seen.add(real)
  })
}

/** On a terminal a line that says how far it is; it is removed at the end. */
function progressOf(files: string[]): (bytes: number, isEnd?: boolean) => void {
  if (!process.stderr.isTTY) return () => {}
  const total = files.reduce((sum, file) => sum + statSync(file).size, 0)
  const began = performance.now()
  let done = 0
  let shown = began
  return (bytes, isEnd = false) => {
    done += bytes
    const now = performance.now()
    if (isEnd) process.stderr.write('\r\u001b[K')
    else if (now - shown > 100) {
      shown = now
      const rate = done / 1e6 / ((now - began) / 1000)
      const left = (total - done) / 1e6 / rate
      process.stderr.write(`\r\u001b[K${(done / 1e6).toFixed(0)} of ${(total / 1e6).toFixed(0)} MB, ${rate.toFixed(0)} MB/s, ${left.toFixed(0)} s left`)
    }
  }
}

/** SWE-bench's evaluation report has `resolved_ids`. */
function resolvedIds(file: string): Set<string> {
  let report: unknown
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw new ToolError('contract', `${file}: expected JSON with resolved_ids`)
    throw error
  }
  const ids = (report as { resolved_ids?: unknown } | null)?.resolved_ids
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) throw new ToolError('contract', `${file}: resolved_ids must be a list of strings`)
  return new Set(ids)
}

function explained(): number {
  for (const { name, definition } of DEFINITIONS) process.stdout.write(`${name.padEnd(26)} ${definition}\n`)
  return EXIT.done
}

function writeTable({ total, by_model: models }: Measured): void {
  const { bold, dim } = colorsFor(process.stdout)
  const names = Object.keys(models).length > 1 ? Object.keys(models) : []
  const rows = DEFINITIONS.map((definition) => [definition.name, ...[total, ...names.map((name) => models[name]!)].map((figures) => shownFigure(definition, figures))])
  const head = ['', 'total', ...names.map((name) => visible(name))]
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]!.length)))
  const line = (row: string[]): string => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ').trimEnd()
  process.stdout.write(`${bold(line(head))}\n`)
  for (const row of rows) process.stdout.write(`${line(row)}\n`)
  process.stdout.write(`${dim('nodwyn measure --explain says what each is')}\n`)
}

function writeComparison({ instances, unpaired, total, resolved }: Comparison): void {
  const { bold, dim } = colorsFor(process.stdout)
  if (resolved) process.stdout.write(`${bold(`resolved: ${resolved.words}`)}\n`)
  const unitOf = (name: FigureName): Definition['unit'] => DEFINITIONS.find((one) => one.name === name)!.unit
  const rows = total.map(({ name, value, against, difference, interval, words }) => {
    const shown = (n: number | null): string => (n === null ? '-' : shownNumber(n, unitOf(name)))
    return [name, shown(value), shown(against), shown(difference), interval === null ? '' : `${shown(interval[0])} to ${shown(interval[1])}`, words]
  })
  const head = ['', 'run', 'against', 'difference', '95% interval', '']
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]!.length)))
  const line = (row: string[]): string => row.map((cell, i) => (i === 0 || i === 5 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ').trimEnd()
  process.stdout.write(`${bold(line(head))}\n`)
  for (const row of rows) process.stdout.write(`${line(row)}\n`)
  const left = unpaired.length === 0 ? '' : `; ${unpaired.length} in one run alone were left out`
  process.stdout.write(`${dim(`${instances.length} instances in both runs${left}`)}\n`)
}
