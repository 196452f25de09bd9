// `nodwyn tools`: the tools, for a person or exactly as a model gets them.

import { EXIT } from './exit-code.ts'
import { Silent } from './headless.ts'
import { openPlain } from './opening.ts'
import type { Common } from './program.ts'

export async function tools(options: Common & { json?: boolean }): Promise<number> {
  const session = await openPlain(options, new Silent())
  if (options.json) process.stdout.write(`${JSON.stringify(session.tools, null, 2)}\n`)
  else
    for (const { name, description } of session.tools)
      process.stdout.write(`${session.describe(name)?.usage ?? name}\n  ${description.split('\n')[0]!}\n`)
  session.close('done')
  return EXIT.done
}
