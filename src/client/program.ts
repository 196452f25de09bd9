// The program's arguments to an exit code. Plain `eval` goes straight to the engine: reading the command
// line takes longer than the evaluation.

import type { SessionModel } from '../session/session.ts'

/** What the program needs from outside sessions: how a name becomes a model. */
export interface Wiring {
  resolveModel: ResolveModel
}
export type ResolveModel = (name: string) => Promise<SessionModel>

/** The options that every command takes. */
export interface Common {
  cwd: string
  config?: string
}

export async function runProgram(argv: string[], wiring: Wiring): Promise<number> {
  const [command, ...rest] = argv
  if (command === 'eval' && rest.length > 0 && !rest.some((word) => word.startsWith('-')))
    return (await import('./eval.ts')).evaluate(rest, { cwd: process.cwd() })
  return (await import('./command-line.ts')).runCommandLine(argv, wiring)
}
