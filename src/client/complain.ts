// A complaint to the lines that a person sees on standard error.

import type { Complaint } from '../session/report.ts'
import type { Colors } from './colour.ts'
import { EXIT } from './exit-code.ts'
import { visible } from './visible.ts'

export function complaintText({ message, excerpt, help, backtrace = [] }: Complaint, { red, dim }: Colors): string {
  const lines = [red(visible(message))]
  if (excerpt !== null) lines.push(visible(excerpt).replace(/^/gm, '  '))
  for (const step of backtrace) lines.push(dim(`  ${visible(step)}`))
  if (help !== null) lines.push(dim(`help: ${visible(help)}`))
  return `${lines.join('\n')}\n`
}

export function exitOfComplaint({ kind }: Complaint): number {
  return { usage: EXIT.usage, failed: EXIT.failed, stopped: EXIT.interrupted, bug: EXIT.failed }[kind]
}
