// Scheme by itself: text to the text of its last value, with no tools or session around it; and what a
// program has beside the engine's own procedures, here and in a session.

import { Labelled, MutableString, SchemeError, createEngine, label, type Engine, type Value } from '../engine/index.ts'
import { show } from '../engine/printer.ts'
import { parseJson, writeJson } from '../tool/json.ts'
import type { Param } from '../tool/prim.ts'
import { fromJson, toArgument } from '../tool/scheme-data.ts'
import { ToolError } from '../tool/tool-error.ts'
import { programFiles } from './program-file.ts'
import { valueText } from './report.ts'

export interface Source {
  text: string
  /** Its name in positions. */
  file: string
}

export interface LanguageOptions {
  /** What `(command-line)` gives. */
  args: string[]
  onOutput(text: string): void
  limits?: { timeLimit?: number; memory?: number }
  signal: AbortSignal
  /** What the program reads from the current input port; without it nothing. */
  input?: () => string
  /** The folder of the program's file; null where it has none, and then no files. */
  folder: string | null
}

const ANYTHING: Param = { name: 'obj', doc: '', type: 'list', role: 'plain' }

/** What every program has beside the engine's own: JSON, as tools take and give it. Labels pass through. */
export function defineLanguage(engine: Engine): void {
  engine.define('json-parse', {
    params: 'string',
    doc: 'The data of a JSON text: an object is an alist with string keys, an array a list, null the symbol null.',
    run: ([given]) => {
      const value = given instanceof Labelled ? given.value : given!
      if (typeof value !== 'string' && !(value instanceof MutableString)) throw new SchemeError(`json-parse: expected a string, got ${show(value)}`)
      const data = inWords('json-parse', () => fromJson(parseJson(String(value), 'the text is')))
      return given instanceof Labelled ? label(data, given.labels) : data
    },
  })
  engine.define('json-write', {
    params: 'obj',
    doc: 'The JSON text of such data. A symbol as a key is an error.',
    run: ([value]) => {
      const labels = new Map<string, ReadonlySet<string>>()
      const text = inWords('json-write', () => writeJson(toArgument(value!, ANYTHING, labels)))
      return label(text, [...labels.values()].flatMap((some) => [...some]))
    },
  })
}

function inWords<T>(who: string, step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    throw new SchemeError(`${who}: ${error.message}`, { help: error.help })
  }
}

/** Of the process's variables those that hold no secrets. */
function ordinaryVariables(): Record<string, string> {
  const isOrdinary = (name: string): boolean => /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LC_\w+|TZ|TMPDIR|PWD|EDITOR|PAGER|COLUMNS|LINES|NO_COLOR)$/.test(name)
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => isOrdinary(entry[0]) && entry[1] !== undefined))
}

/** The text of the last value of the last source, null where it is unspecified. Rejects with what the
 * program raised. */
export async function evaluateAlone(sources: Source[], options: LanguageOptions): Promise<string | null> {
  const engine = createEngine({
    onOutput: options.onOutput,
    commandLine: options.args,
    environment: ordinaryVariables(),
    ...(options.input ? { input: options.input } : {}),
    clock: () => performance.timeOrigin + performance.now(),
    ...(options.folder === null ? {} : programFiles(options.folder)),
  })
  defineLanguage(engine)
  let value: Value | null = null
  for (const source of sources) {
    value = await engine.evaluate(source.text, { file: source.file, signal: options.signal, ...options.limits })
  }
  return value === null ? null : valueText(value)
}

