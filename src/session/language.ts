// Scheme by itself: text to the text of its last value, with no tools, files or session around it.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createEngine, list, type Value } from '../engine/index.ts'
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
  signal: AbortSignal
  /** The folder of the program's file, which it may include others from; null where it has none. */
  folder: string | null
}

function included(folder: string | null): { include?: (file: string) => string } {
  return folder === null ? {} : { include: (file) => readFileSync(resolve(folder, file), 'utf8') }
}

/** The text of the last value of the last source, null where it is unspecified. Rejects with what the
 * program raised; `onSource` learns which source is at work. */
export async function evaluateAlone(sources: Source[], options: LanguageOptions, onSource: (source: Source) => void): Promise<string | null> {
  const engine = createEngine({ onOutput: options.onOutput, ...included(options.folder) })
  engine.define('command-line', { params: '', doc: 'The arguments of the program.', run: () => list(options.args) })
  let value: Value | null = null
  for (const source of sources) {
    onSource(source)
    value = await engine.evaluate(source.text, { file: source.file, signal: options.signal })
  }
  return value === null ? null : valueText(value)
}

