// `nodwyn` alone: the terminal client in a directory.

import { createSession } from '../session/session.ts'
import { EXIT } from './exit-code.ts'
import { configOf, modelName } from './opening.ts'
import type { Common, Wiring } from './program.ts'
import { Terminal } from './terminal.ts'

export async function interactive(
  options: Common & { model?: string; strategy?: string },
  { resolveModel }: Wiring,
): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    process.stderr.write('standard input is no terminal\nhelp: nodwyn run TASK does one task without one\n')
    return EXIT.usage
  }
  const config = configOf(options)
  const model = await resolveModel(modelName(options.model, config))
  try {
    const terminal = new Terminal()
    const session = await createSession({
      cwd: options.cwd,
      config,
      model,
      person: terminal,
      attended: true,
      consent: 'ask',
      strategy: options.strategy ?? null,
    })
    const greeting = terminal.colors.dim(`nodwyn in ${session.root}, with ${model.name}. ,help says what can be typed.`)
    return await terminal.run(session, { greeting, suggestion: '' })
  } finally {
    await model.close?.()
  }
}
