// Lines that begin with a comma: one row a command of the terminal client.

import { resolve } from 'node:path'
import { nearest } from '../session/report.ts'
import type { Session } from '../session/session.ts'
import type { Terminal } from './terminal.ts'
import { listVersions } from '../session/history.ts'
import { rewind } from './rewind.ts'
import { undoLast } from './undo.ts'
import { visible } from './visible.ts'
import { versionLines } from './versions-command.ts'

interface Command {
  usage: string
  doc: string
  run(argument: string, terminal: Terminal, session: Session): Promise<void> | void
}

const COMMANDS: Record<string, Command> = {
  help: {
    usage: ',help',
    doc: 'what can be typed here',
    run(_argument, terminal) {
      const { transcript } = terminal
      transcript.line(terminal.isScheme ? 'A line that begins with , is a command; anything else is Scheme.' : 'A line that begins with ( is Scheme, with , a command; anything else is a task.')
      for (const { usage, doc } of Object.values(COMMANDS)) transcript.line(`  ${usage.padEnd(23)} ${doc}`)
      transcript.line('While a task is done: what you type and end with Enter goes to the model with its next request; with Alt-Enter, or a ! before it, at once.')
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
  apropos: {
    usage: ',apropos WORD',
    doc: 'the names that contain a word',
    run(word, { transcript }, session) {
      const found = session.names().filter((name) => name.includes(word))
      if (found.length === 0) return transcript.line(`no name contains ${word}`)
      for (const name of found.slice(0, MOST_NAMES)) transcript.line(`  ${session.describe(name)?.usage ?? name}`)
      if (found.length > MOST_NAMES) transcript.line(`  … ${found.length - MOST_NAMES} more`)
    },
  },
  expand: {
    usage: ',expand FORM',
    doc: 'what the use of a macro expands to',
    run: (form, { transcript }, session) => transcript.line(session.expand(form)),
  },
  time: {
    usage: ',time FORM',
    doc: 'evaluates and says how long it took',
    async run(form, terminal) {
      const start = performance.now()
      await terminal.evaluate(form)
      terminal.transcript.line(`${(performance.now() - start).toFixed(1)} ms`)
    },
  },
  trace: {
    usage: ',trace NAME',
    doc: 'shows each call of a procedure and what it returns',
    async run(name, { transcript }, session) {
      if (session.shownValue(name) === null) return transcript.line(`nothing is defined by the name ${name}`)
      await session.evaluate(`(define |${name}| (%trace '|${name}| (%untrace |${name}|)))`)
      transcript.line(`tracing ${name}; ,untrace ${name} ends it`)
    },
  },
  untrace: {
    usage: ',untrace NAME',
    doc: 'ends that',
    async run(name, { transcript }, session) {
      if (session.shownValue(name) === null) return transcript.line(`nothing is defined by the name ${name}`)
      await session.evaluate(`(define |${name}| (%untrace |${name}|))`)
    },
  },
  env: {
    usage: ',env',
    doc: 'what was defined here, with its value',
    run(_argument, { transcript }, session) {
      const names = session.ownNames()
      if (names.length === 0) return transcript.line('nothing was defined yet')
      for (const name of names) transcript.line(`  ${name.padEnd(16)} ${session.shownValue(name) ?? 'syntax'}`)
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
  rewind: {
    usage: ',rewind N [talk|files]',
    doc: 'goes back to before what you typed as the N-th: talk and files, or one of them; without N lists them',
    run: (argument, terminal, session) => rewind(argument, terminal, session),
  },
  versions: {
    usage: ',versions [PATH]',
    doc: 'the earlier versions that are kept; the number is the n of (fs-undo path n)',
    async run(path, { transcript, colors }, session) {
      const past = await listVersions(session.root, path === '' ? null : path)
      if (past.length === 0) return transcript.line('nothing was changed here')
      for (const line of versionLines(past.slice(0, MOST_NAMES), colors)) transcript.line(line)
      if (past.length > MOST_NAMES) transcript.line(`  … ${past.length - MOST_NAMES} more; say of which file`)
    },
  },
  approvals: {
    usage: ',approvals',
    doc: 'what you approved for the session or the project',
    run(_argument, { transcript, colors }, session) {
      const all = session.approvals()
      if (all.length === 0) return transcript.line('nothing is approved beyond the configuration')
      for (const [i, { text, scope, time }] of all.entries()) transcript.line(`${String(i + 1).padStart(3)}  ${visible(text)}  ${colors.dim(`${scope}, since ${time.slice(0, 16).replace('T', ' ')}`)}`)
    },
  },
  revoke: {
    usage: ',revoke N',
    doc: 'ends the N-th of them',
    run(n, { transcript }, session) {
      const gone = session.revoke(Number(n))
      transcript.line(gone ? `no longer approved: ${visible(gone.text)}` : 'say which, by its number in ,approvals')
    },
  },
  quit: { usage: ',quit', doc: 'leaves', run: (_argument, terminal) => terminal.leave() },
}

/** The commands as they are typed. */
export function commandNames(): string[] {
  return Object.keys(COMMANDS).map((name) => `,${name}`)
}

/** How many lines `,apropos` and `,versions` give. */
const MOST_NAMES = 40

/** Does the command of a line; says so where there is none. */
export async function runCommand(line: string, terminal: Terminal, session: Session): Promise<void> {
  const [, name, argument] = /^,\s*(\S*)\s*([\s\S]*)$/.exec(line)!
  const command = Object.hasOwn(COMMANDS, name!) ? COMMANDS[name!] : undefined
  if (!command) {
    const near = nearest(name!, Object.keys(COMMANDS))
    return terminal.transcript.line(`unknown command ,${name}: ${near === null ? `the commands are ${commandNames().join(' ')}` : `did you mean ,${near}`}`)
  }
  await command.run(argument!.trim(), terminal, session)
}
