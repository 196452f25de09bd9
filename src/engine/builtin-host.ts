// What a program can learn of the world around it (R7RS 6.13.1, 6.14): files, the command line, the
// process's environment and the time. All of it is what the host gives; what it does not give is not there.

import type { Builtin } from './builtin.ts'
import { BytesInputPort, BytesOutputPort, InputPort, OutputPort } from './builtin-port.ts'
import { checkString, row } from './check.ts'
import { SchemeError } from './error.ts'
import { show } from './printer.ts'
import { Flonum, Pair, UNSPECIFIED, list, type Value } from './value.ts'

/** The files that a program may open. Each may throw an Error that says why not. */
export interface Files {
  read(path: string): Uint8Array
  /** Makes or replaces a file, or adds to its end. */
  write(path: string, bytes: Uint8Array, append: boolean): void
  exists(path: string): boolean
  remove(path: string): void
}

export interface Host {
  files?: Files
  /** Milliseconds since 1970-01-01 UTC, with fractions. */
  clock?: () => number
  /** The variables of the process that a program may see. */
  environment?: Record<string, string>
  /** The text of the current input port, asked for when something is read from it. Default: none. */
  input?: () => string
  /** The program's name and its arguments. */
  commandLine?: string[]
}

const JIFFIES_PER_MS = 1000

/** The rows; and `flush`, which writes out what files that are still open were given. */
export function hostBuiltins({ files, clock, environment = {}, commandLine = [] }: Host): { rows: Builtin[]; flush: () => void } {
  const opened = new Set<OutputPort | BytesOutputPort>()
  const started = clock?.() ?? 0
  const now = (who: string): number => {
    if (clock) return clock()
    throw new SchemeError(`${who}: there is no clock here`)
  }
  const withFile = <T>(who: string, path: Value, step: (files: Files, path: string) => T): T => {
    const name = checkString(who, path)
    if (!files) throw new SchemeError(`${who}: there are no files here, got ${show(name)}`, { kind: 'file' })
    try {
      return step(files, name)
    } catch (error) {
      if (error instanceof SchemeError) throw error
      throw new SchemeError(`${who}: ${show(name)}: ${(error as Error).message}`, { kind: 'file', irritants: [name] })
    }
  }
  const reading = (name: string, doc: string, open: (bytes: Uint8Array) => Value): Builtin =>
    row(name, 'path', doc, (path: Value) => withFile(name, path, (all, file) => open(all.read(file))))
  const writing = (name: string, doc: string, open: (flush: (bytes: Uint8Array) => void) => OutputPort | BytesOutputPort): Builtin =>
    row(name, 'path', doc, (path: Value) =>
      withFile(name, path, (all, file) => {
        all.write(file, new Uint8Array(), false)
        const port = open((bytes) => withFile(name, file, () => all.write(file, bytes, true)))
        opened.add(port)
        return port
      }))
  const flush = (): void => {
    for (const port of opened) {
      port.flush()
      if (!port.isOpen) opened.delete(port)
    }
  }
  const rows = [
    reading('open-input-file', 'A port that reads the characters of a file, which is UTF-8.', (bytes) => new InputPort(new TextDecoder('utf-8').decode(bytes))),
    reading('open-binary-input-file', 'A port that reads the bytes of a file.', (bytes) => new BytesInputPort(bytes)),
    writing('open-output-file', 'A port that writes characters to a file, made anew; what is written is out when the port is flushed or closed.', (flush) => new FileOutputPort(flush)),
    writing('open-binary-output-file', 'A port that writes bytes to a file, made anew; what is written is out when the port is flushed or closed.', (flush) => new BytesOutputPort(flush)),
    row('file-exists?', 'path', 'Tells whether there is a file of that name.', (path: Value) => withFile('file-exists?', path, (all, file) => all.exists(file))),
    row('delete-file', 'path', 'Removes a file.', (path: Value) => {
      withFile('delete-file', path, (all, file) => all.remove(file))
      return UNSPECIFIED
    }),
    row('command-line', '', "The list of the program's name and its arguments.", () => list(commandLine)),
    row('get-environment-variable', 'name', 'The value of a variable of the process, or #f.', (name: Value) => {
      const key = checkString('get-environment-variable', name)
      return Object.hasOwn(environment, key) ? environment[key]! : false
    }),
    row('get-environment-variables', '', 'The variables of the process as an association list.', () =>
      list(Object.entries(environment).map(([name, value]) => new Pair(name, value)))),
    row('current-second', '', 'Seconds since 1970-01-01 UTC, inexact.', () => new Flonum(now('current-second') / 1000)),
    row('current-jiffy', '', 'Jiffies since the engine was made, an exact integer.', () => Math.round((now('current-jiffy') - started) * JIFFIES_PER_MS)),
    row('jiffies-per-second', '', 'How many jiffies a second has.', () => JIFFIES_PER_MS * 1000),
  ]
  return { rows, flush }
}

/** Characters to a file, in portions. */
class FileOutputPort extends OutputPort {
  constructor(flush: (bytes: Uint8Array) => void) {
    let waiting: string[] = []
    super((text) => void waiting.push(text))
    this.flush = () => {
      if (waiting.length > 0) flush(new TextEncoder().encode(waiting.join('')))
      waiting = []
    }
  }
}
