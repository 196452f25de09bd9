// `nodwyn scenarios`: a file of guard scenarios, each with what the guard made of it.

import { runScenarios, type ScenarioOutcome } from '../session/scenario-file.ts'
import { colorsFor } from './colour.ts'
import { EXIT } from './exit-code.ts'
import { visible } from './visible.ts'

export async function scenarios(file: string, { json }: { json?: boolean }): Promise<number> {
  const colors = colorsFor(process.stdout)
  const counts = { passed: 0, missed: 0, skipped: 0 }
  for await (const outcome of runScenarios(file)) {
    counts[outcome.result]++
    if (json) process.stdout.write(`${JSON.stringify(outcome)}\n`)
    else if (outcome.result !== 'passed') process.stdout.write(`${colors[outcome.result === 'missed' ? 'red' : 'yellow'](outcome.result)}  ${visible(outcome.id)}${about(outcome)}\n`)
  }
  const all = counts.passed + counts.missed + counts.skipped
  if (!json) process.stdout.write(`${all} scenario${all === 1 ? '' : 's'}: ${counts.passed} passed, ${counts.missed} missed, ${counts.skipped} skipped\n`)
  return counts.missed > 0 || all === 0 ? EXIT.failed : EXIT.done
}

function about(outcome: ScenarioOutcome): string {
  if (outcome.result === 'skipped') return `: there is no tool ${visible(outcome.tool)}`
  if (outcome.result !== 'missed') return ''
  const { step, expected, got, reasons } = outcome
  return `: step ${step}: expected ${expected}, got ${got}${reasons.map((reason) => `\n    ${visible(reason)}`).join('')}`
}
