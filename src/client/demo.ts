// `nodwyn demo`: a copy of a small project with a failing test, and a scripted model that mends it. On a
// terminal a person sends the suggested task; elsewhere it runs by itself and the check decides.

import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultConfig, type Config } from '../session/config.ts'
import type { Answer, Card, Person } from '../session/person.ts'
import { packageRoot } from '../session/place.ts'
import { createSession, type Session, type SessionModel } from '../session/session.ts'
import { cardPages, question } from './card.ts'
import { colorsFor } from './colour.ts'
import { EXIT } from './exit-code.ts'
import { Headless } from './headless.ts'
import type { Common, Wiring } from './program.ts'
import { stopOnSignals } from './signals.ts'
import { Terminal } from './terminal.ts'

export async function demo(options: Common & { terminal?: boolean }, { resolveModel }: Wiring): Promise<number> {
  if (!options.terminal) {
    process.stderr.write('the browser console is not there yet\nhelp: nodwyn demo --terminal\n')
    return EXIT.usage
  }
  const folder = join(packageRoot(), 'demo')
  const task = readFileSync(join(folder, 'task.txt'), 'utf8').trim()
  const cwd = copyProject(join(folder, 'project'))
  const model = await resolveModel(`script:${join(folder, 'script.json')}`)
  try {
    return process.stdin.isTTY && process.stdout.isTTY ? await atTerminal(cwd, model, task) : await byItself(cwd, model, task)
  } finally {
    await model.close?.()
  }
}

/** A temporary copy, as a git repository, so that everything may be tried on it. */
function copyProject(project: string): string {
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'nodwyn-demo-'))), 'project')
  cpSync(project, folder, { recursive: true })
  const git = (...args: string[]): void => void execFileSync('git', ['-c', 'user.name=demo', '-c', 'user.email=demo@localhost', ...args], { cwd: folder, stdio: 'ignore' })
  try {
    git('init', '-q')
    git('add', '.')
    git('commit', '-q', '-m', 'The project as it was')
  } catch {
    process.stderr.write('git is not there, so the demo project is no repository\n')
  }
  return folder
}

/** The demo's own, whatever the person configured: its tests may run, its Makefile asks first. */
function configOfDemo(): Config {
  return {
    ...defaultConfig(),
    grants: [{ kind: 'exec', argv: ['npm', 'test'] }],
    protect: [{ glob: 'Makefile', verdict: 'confirm' }],
  }
}

function open(cwd: string, model: SessionModel, person: Person): Promise<Session> {
  return createSession({ cwd, config: configOfDemo(), model, person, attended: true, consent: 'ask', strategy: null })
}

async function atTerminal(cwd: string, model: SessionModel, task: string): Promise<number> {
  const terminal = new Terminal()
  const session = await open(cwd, model, terminal)
  const { dim } = terminal.colors
  const greeting = [
    `nodwyn, with a scripted model, on a copy of a small project in ${cwd}.`,
    dim('Press Enter to give it the task below, or type Scheme: (fs-list "."). ,help says what else.'),
  ].join('\n')
  return terminal.run(session, { greeting, suggestion: task })
}

async function byItself(cwd: string, model: SessionModel, task: string): Promise<number> {
  const person = new Visitor(process.stdout)
  const session = await open(cwd, model, person)
  const release = stopOnSignals(session)
  try {
    person.transcript.line(`> ${task}`)
    const { check, ending, problem } = await session.runTask(task)
    person.transcript.line(person.figures.line(model.name, model.window))
    if (problem) process.stderr.write(`${problem.message}\n`)
    if (ending === 'stopped') return EXIT.interrupted
    return ending === 'answer' && check === 'passed' ? EXIT.done : EXIT.failed
  } finally {
    release()
    session.close('done')
  }
}

/** Answers the demo's ordinary confirm with yes, and a security confirm with no. */
class Visitor extends Headless {
  override confirm(card: Card): Promise<Answer> {
    this.transcript.takeDiff(card.id)
    const yes = card.kind === 'ordinary'
    for (const page of cardPages(card, colorsFor(process.stdout), Infinity)) if (page !== '') this.transcript.line(page)
    this.transcript.line(`  ${question(card)}${yes ? 'y' : 'n'}`)
    return Promise.resolve({ yes, reason: yes ? '' : 'nobody is there' })
  }
}
