// `nodwyn tools`: the tools, for a person or exactly as a model gets them; and the tools of servers that
// have changed since the person accepted them.

import { createTwoFilesPatch } from 'diff'
import { acceptTool } from '../session/servers.ts'
import { stateFolder } from '../session/place.ts'
import { ToolError } from '../session/report.ts'
import type { Session } from '../session/session.ts'
import { colorsFor } from './colour.ts'
import { diffText } from './diff-text.ts'
import { EXIT } from './exit-code.ts'
import { Silent } from './headless.ts'
import { openPlain } from './opening.ts'
import type { Common } from './program.ts'
import { visible } from './visible.ts'

export async function tools({ json, accept: name, yes, ...common }: Common & { json?: boolean; accept?: string; yes?: boolean }): Promise<number> {
  const session = await openPlain(common, new Silent())
  try {
    if (name !== undefined) accept(name, yes === true, session)
    else if (json) process.stdout.write(`${JSON.stringify(session.tools, null, 2)}\n`)
    else list(session)
    return EXIT.done
  } finally {
    session.close('done')
  }
}

function list(session: Session): void {
  for (const { name, description } of session.tools) process.stdout.write(`${visible(session.describe(name)?.usage ?? name)}\n  ${visible(description.split('\n')[0]!)}\n`)
  for (const warning of session.servers.warnings) process.stderr.write(`${visible(warning)}\n`)
}

function accept(name: string, yes: boolean, session: Session): void {
  const changed = session.servers.changed.find(({ prim }) => prim.name === name)
  if (!changed) throw new ToolError('contract', `--accept: no tool ${name} has changed`, { help: 'nodwyn tools lists the tools, and says which were left out' })
  const diff = createTwoFilesPatch('accepted', 'today', pretty(changed.before), pretty(changed.after))
  process.stdout.write(`${diffText(diff, colorsFor(process.stdout))}\n`)
  if (yes) acceptTool(changed, stateFolder())
  process.stderr.write(yes ? `${name} is accepted as it is today\n` : `say it again with --yes to accept ${name} as it is today\n`)
}

function pretty(declaration: string): string {
  return `${JSON.stringify(JSON.parse(declaration), null, 2)}\n`
}
