// A file of guard scenarios, one a line, to what came of each: the verdicts of the real guard on real
// folders, beside the expected ones.

import { readFileSync } from 'node:fs'
import { runScenario, type Scenario, type StepResult } from '../guard/scenario.ts'
import { VERDICTS } from '../guard/verdict.ts'
import { ToolError } from '../tool/tool-error.ts'
import { scenarioHands } from './call.ts'
import { findFor } from './stub-server.ts'

/** `step`: from 1, the first that missed; `skipped`: the tool that is not there. */
export type ScenarioOutcome = { id: string } & (
  | { result: 'passed' }
  | { result: 'skipped'; tool: string }
  | { result: 'missed'; step: number; expected: string; got: string; reasons: string[] }
)

/** Throws ToolError for a file that holds something else, with the line. */
export async function* runScenarios(file: string): AsyncGenerator<ScenarioOutcome> {
  for (const scenario of readScenarios(file)) yield { id: scenario.id, ...outcomeOf(await runScenario(scenario, { ...scenarioHands, find: findFor(scenario.steps) })) }
}

function readScenarios(file: string): Scenario[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new ToolError('contract', `${file} cannot be read`)
  }
  return text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [checked(line, `${file}:${i + 1}`)]))
}

function checked(line: string, place: string): Scenario {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new ToolError('contract', `${place}: is no valid JSON`, { help: 'a file of scenarios holds one JSON object a line' })
  }
  const { id, files = {}, steps } = Object(value) as Partial<Scenario>
  if (typeof id !== 'string') throw new ToolError('contract', `${place}: id must be a string`)
  if (!isObject(files) || !Object.values(files).every((content) => typeof content === 'string')) throw new ToolError('contract', `${place}: files must be an object of texts`)
  if (!Array.isArray(steps) || steps.length === 0) throw new ToolError('contract', `${place}: steps must be a list of at least one step`)
  for (const [n, step] of steps.entries()) {
    const { tool, args, verdict } = Object(step) as Partial<Scenario['steps'][number]>
    if (typeof tool !== 'string' || !isObject(args)) throw new ToolError('contract', `${place}: step ${n + 1} must have a tool and args`)
    if (!VERDICTS.includes(verdict!)) throw new ToolError('contract', `${place}: step ${n + 1}: verdict must be ${VERDICTS.join(', ')}, got ${JSON.stringify(verdict)}`)
  }
  return { ...(value as Scenario), files }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function outcomeOf(steps: StepResult[]): { result: 'passed' } | { result: 'skipped'; tool: string } | { result: 'missed'; step: number; expected: string; got: string; reasons: string[] } {
  for (const [i, step] of steps.entries()) {
    if (step.kind === 'skipped') return { result: 'skipped', tool: step.tool }
    if (step.got === step.expected) continue
    const reasons = step.findings.filter(({ verdict }) => verdict !== 'allow').map(({ verdict, reason }) => `${verdict}: ${reason}`)
    return { result: 'missed', step: i + 1, expected: step.expected, got: step.got, reasons }
  }
  return { result: 'passed' }
}
