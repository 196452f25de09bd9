// Lines that begin with a comma: one row a command of the terminal client.

import { resolve } from 'node:path'
import type { Session } from '../session/session.ts'
import type { Terminal } from './terminal.ts'
import { undoLast } from './undo.ts'

interface Command {
  usage: string
  doc: string
  run(argument: string, terminal: Terminal, session: Session): Promise<void> | void
}

const COMMANDS: Record<string, Command> = {
  help: {
    usage: ',help',
    doc: 'what can be typed here',
    run(_argument, { transcript }) {
      transcript.line('A line that begins with ( is Scheme, with , a command; anything else is a task.')
      for (const { usage, doc } of Object.values(COMMANDS)) transcript.line(`  ${usage.padEnd(14)} ${doc}`)
      transcript.line('Ctrl-C stops what runs; once more leaves.')
    },
  },
  doc: {
    usage: ',doc NAME',
    doc: 'how a procedure, tool or syntax is used',
    run(name, { transcript }, session) {
      const found = session.describe(name)
      if (!found) return transcript.line(name === '' ? 'say of what: ,doc fs-edit' : `nothing is known of ${name}`)
      transcript.line(found.usage)
      if (found.doc !== '') transcript.line(`  ${found.doc}`)
    },
  },
  tools: {
    usage: ',tools',
    doc: 'the tools that the model has',
    run(_argument, { transcript }, session) {
      for (const { name } of session.tools) transcript.line(`  ${session.describe(name)?.usage ?? name}`)
    },
  },
  load: {
    usage: ',load FILE',
    doc: 'evaluates a file of Scheme, a strategy for instance; the next task uses it',
    async run(file, { transcript }, session) {
      if (file === '') return transcript.line('say which: ,load my-loop.scm')
      await session.loadFile(resolve(session.root, file))
      transcript.line(`loaded ${file}`)
    },
  },
  cost: {
    usage: ',cost',
    doc: 'what this session has used',
    run: (_argument, terminal) => terminal.transcript.line(terminal.statusLine()),
  },
  undo: {
    usage: ',undo [PATH]',
    doc: 'takes back the last change, or the last one of a file',
    async run(path, { transcript }, session) {
      const outcomes = await undoLast(session, path === '' ? null : path)
      if (outcomes.length === 0) transcript.line('nothing was changed here')
    },
  },
  quit: { usage: ',quit', doc: 'leaves', run: (_argument, terminal) => terminal.leave() },
}

/** Does the command of a line; says so where there is none. */
export async function runCommand(line: string, terminal: Terminal, session: Session): Promise<void> {
  const [, name, argument] = /^,\s*(\S*)\s*([\s\S]*)$/.exec(line)!
  const command = Object.hasOwn(COMMANDS, name!) ? COMMANDS[name!] : undefined
  if (!command) return terminal.transcript.line(`unknown command ,${name}: the commands are ${Object.keys(COMMANDS).map((known) => `,${known}`).join(' ')}`)
  await command.run(argument!.trim(), terminal, session)
}
