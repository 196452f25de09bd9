// `nodwyn` alone: the terminal client in a directory.

import { createSession } from '../session/session.ts'
import { EXIT } from './exit-code.ts'
import { HOW_TO_SET_A_MODEL, configOf, modelSet } from './opening.ts'
import type { Common, Wiring } from './program.ts'
import { Terminal } from './terminal.ts'

/** `scheme`: a REPL without a model, where every line is Scheme. */
export async function interactive(
  options: Common & { model?: string; strategy?: string; scheme?: boolean },
  { resolveModel }: Wiring,
): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    process.stderr.write('standard input is no terminal\nhelp: nodwyn run TASK does one task without one\n')
    return EXIT.usage
  }
  const config = configOf(options)
  const name = options.scheme ? null : modelSet(options.model, config)
  const model = name === null ? null : await resolveModel(name)
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
    if (options.scheme)
      return await terminal.run(session, { greeting: terminal.colors.dim('Scheme, with the tools as procedures. ,help says what else can be typed.'), suggestion: '', scheme: true })
    const mind = model === null ? 'without a model: Scheme and the tools work' : `with ${model.name}`
    const greeting = [`nodwyn in ${session.root}, ${mind}. ,help says what can be typed.`, ...(model === null ? [HOW_TO_SET_A_MODEL] : [])]
    return await terminal.run(session, { greeting: greeting.map(terminal.colors.dim).join('\n'), suggestion: '' })
  } finally {
    await model?.close?.()
  }
}
