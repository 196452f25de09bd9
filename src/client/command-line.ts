// All commands with their options, as commander reads them. Each command's own file is loaded when it is
// called, so that the others cost nothing.

import { Command, CommanderError } from 'commander'
import { version } from '../session/place.ts'
import { EXIT } from './exit-code.ts'
import type { Wiring } from './program.ts'

/** Does what the arguments say; returns the exit code. */
export async function runCommandLine(argv: string[], wiring: Wiring): Promise<number> {
  let exit: number = EXIT.done
  const program = build(wiring, (code) => (exit = code))
  const first = argv[0]
  if (first !== undefined && !first.startsWith('-') && first !== 'help' && !program.commands.some((command) => command.name() === first)) {
    process.stderr.write(`unknown command ${first}\nhelp: the commands are ${program.commands.map((command) => command.name()).join(', ')}\n`)
    return EXIT.usage
  }
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) return complain(error)
    return error.exitCode === 0 ? EXIT.done : EXIT.usage
  }
  return exit
}

async function complain(error: unknown): Promise<number> {
  const [{ complaintOf }, { complaintText, exitOfComplaint }, { colorsFor }] = await Promise.all([
    import('../session/report.ts'),
    import('./complain.ts'),
    import('./colour.ts'),
  ])
  const complaint = complaintOf(error)
  process.stderr.write(complaintText(complaint, colorsFor(process.stderr)))
  return exitOfComplaint(complaint)
}

function build(wiring: Wiring, done: (exit: number) => void): Command {
  const program = common(new Command('nodwyn'))
    .description('A coding agent whose loop is a Scheme program. Without a command: the terminal client in this directory.')
    .version(version())
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({ writeErr: (text) => process.stderr.write(text.replace(/^error: /, '')) })
    .option('--model <MODEL>', 'ollama:NAME, openai:NAME, anthropic:NAME, script:FILE or replay:SESSION')
    .option('--strategy <FILE>', 'a strategy to load after the loop: a file, or a name in the strategies folder')
    .action(async (options) => done(await (await import('./interactive.ts')).interactive(all(options), wiring)))
  const add = (line: string, description: string): Command => common(program.command(line)).description(description).exitOverride()
  /** Options may stand before the command too; after it they count more. */
  const all = <T extends object>(options: T): T & { cwd: string } => Object.assign({ cwd: process.cwd() }, program.opts(), options)

  add('run [TASK]', 'one task, headless; - reads it from standard input')
    .option('--model <MODEL>', 'ollama:NAME, openai:NAME, anthropic:NAME, script:FILE or replay:SESSION')
    .option('--strategy <FILE>', 'a strategy to load after the loop')
    .option('--unattended', 'nobody is there: ordinary confirms are answered yes, security confirms are refused')
    .option('--yes', 'answers ordinary confirms, never security ones')
    .option('--json', 'prints the events, one a line, as they happen')
    .option('--max-requests <N>', 'how often the model may be asked', positive)
    .action(async (task, options) => done(await (await import('./run.ts')).run(task, all(options), wiring)))
  add('eval [EXPR...]', 'evaluates Scheme and prints the last value')
    .option('-f, --file <FILE>', 'the text is in a file; - reads it from standard input')
    .option('--time-limit <SECONDS>', 'stops what takes longer', positive)
    .option('--memory-limit <MB>', 'stops what uses more memory', positive)
    .option('--tools', 'with the tools, through the guard')
    .option('--yes', 'answers ordinary confirms, never security ones')
    .action(async (texts, options) => done(await (await import('./eval.ts')).evaluate(texts, all(options))))
  add('repl', 'a Scheme prompt without a model')
    .action(async (options) => done(await (await import('./interactive.ts')).interactive({ ...all(options), scheme: true }, wiring)))
  add('call <TOOL> [JSON]', 'one tool call as a model would make it; - reads the JSON from standard input')
    .option('--yes', 'answers ordinary confirms, never security ones')
    .option('--json', 'prints one JSON object')
    .action(async (tool, json, options) => done(await (await import('./single-call.ts')).call(tool, json, all(options))))
  add('tools', 'the tools')
    .option('--json', 'the list that a model gets')
    .option('--accept <NAME>', 'a tool of a server that has changed: shows how, and with --yes takes it')
    .option('--yes', 'takes it')
    .action(async (options) => done(await (await import('./tool-list.ts')).tools(all(options))))
  add('log [SESSION]', 'the sessions, or what happened in one')
    .option('--json', 'the events, one a line')
    .action(async (session, options) => done(await (await import('./log-view.ts')).log(session, all(options))))
  add('resume [SESSION] [TASK]', 'goes on with a session, the latest one here if none is named: in the terminal, or headless with a task')
    .option('--model <MODEL>', "instead of the session's own")
    .option('--strategy <FILE>', "instead of the session's own")
    .option('--from-messages', 'where the strategy has changed: takes over what was said, and runs nothing again')
    .option('--unattended', 'nobody is there: ordinary confirms are answered yes, security confirms are refused')
    .option('--yes', 'answers ordinary confirms, never security ones')
    .option('--json', 'prints the events, one a line, as they happen')
    .option('--max-requests <N>', 'how often the model may be asked', positive)
    .action(async (session, task, options) => done(await (await import('./resume.ts')).resume(session, task, all(options), wiring)))
  add('fork <SESSION@SEQ>', 'a new session from a point of another, with the files as they were then; prints its name')
    .option('--model <MODEL>', "instead of the session's own")
    .option('--strategy <FILE>', "instead of the session's own")
    .option('--keep-files', 'leaves the files as they are now')
    .action(async (point, options) => done(await (await import('./fork.ts')).fork(point, all(options), wiring)))
  add('undo [PATH]', 'takes back the last change, or the last one of a file')
    .option('--yes', 'answers ordinary confirms, never security ones')
    .action(async (path, options) => done(await (await import('./undo-command.ts')).undo(path, all(options))))
  add('versions [PATH]', 'the earlier versions that are kept, of one file or of all')
    .option('--diff <N>', 'what the change after the N-th version did', positive)
    .option('--json', 'one JSON object a line')
    .action(async (path, options) => done(await (await import('./versions-command.ts')).versions(path, all(options))))
  add('measure [LOG...]', 'the figures of event logs: files, or folders of them')
    .option('--against <LOG...>', 'the logs of another run over the same instances, to be compared')
    .option('--resolved <FILE>', "SWE-bench's evaluation report of the run, for the instances it resolved")
    .option('--against-resolved <FILE>', 'that of the other run')
    .option('--json', 'prints one JSON object')
    .option('--html <FILE>', 'writes one page with plots')
    .option('--explain', 'what each figure is')
    .action(async (logs, options) => done((await import('./measure.ts')).measure(logs, options)))
  add('scenarios <FILE>', 'judges the guard scenarios of a file, one a line')
    .option('--json', 'one JSON object a scenario')
    .action(async (file, options) => done(await (await import('./scenarios-command.ts')).scenarios(file, options)))
  add('demo', 'a small example project with a scripted model')
    .option('--terminal', 'in the terminal')
    .action(async (options) => done(await (await import('./demo.ts')).demo(all(options), wiring)))
  return program
}

function common(command: Command): Command {
  return command
    .option('--cwd <DIR>', 'the directory to work in, instead of this one')
    .option('--config <FILE>', 'the configuration instead of ~/.config/nodwyn/config.json')
}

function positive(text: string): number {
  const n = Number(text)
  if (!Number.isInteger(n) || n < 1) throw new CommanderError(EXIT.usage, 'usage', `expected a positive integer, got ${text}`)
  return n
}
