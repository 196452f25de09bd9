// What of the architecture a machine can hold: who imports whom, one door, files that open by saying
// what they are and stay short enough to read.

import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = resolve(import.meta.dirname, '../src')

/** Which folders a folder may import from. ORDER of layers: src/README.md draws it. */
const MAY_IMPORT: Record<string, string[]> = {
  engine: [],
  tool: ['engine'],
  model: [],
  guard: ['tool', 'engine'],
  session: ['engine', 'tool', 'guard', 'model'],
  measure: ['session'],
  client: ['session', 'measure'],
}
/** Of the engine, those below sessions may use its values, errors, printer and distance of words alone. */
const ENGINE_FOR_TOOLS = ['value.ts', 'error.ts', 'printer.ts', 'distance.ts']
/** Of sessions, measure may use the event types alone. */
const SESSION_FOR_MEASURE = ['event.ts']
const LONGEST = 600

interface SourceFile {
  path: string
  folder: string
  text: string
  /** Paths within src/. */
  imports: string[]
  /** Those of them that are loaded at run time: a type alone may point back. */
  loads: string[]
}

const files: SourceFile[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .map((name) => {
    const text = readFileSync(join(SRC, name), 'utf8')
    const loads = targets(name, text.replace(/^(import|export) type [^;]*? from '.*'$/gm, ''))
    return { path: name, folder: dirname(name), text, imports: targets(name, text), loads }
  })

describe('the layers', () => {
  it('import downwards alone', () => {
    const wrong: string[] = []
    for (const { path, folder, imports } of files)
      for (const target of imports) if (folder !== '.' && !mayImport(folder, target)) wrong.push(`${path} imports ${target}`)
    expect(wrong).toEqual([])
  })

  it('have no cycles among their files', () => {
    expect(findCycle()).toEqual([])
  })

  it('reach a tool through one door', () => {
    const callers = files.filter(({ folder, text }) => folder !== 'engine' && /\bprim\.(run|plan)!?\(|\.commit\(/.test(text))
    expect(callers.map(({ path }) => path)).toEqual(['session/call.ts'])
  })
})

describe('each file', () => {
  it('opens by saying what it is', () => {
    const silent = files.filter(({ text }) => !/^\/\/ \S/.test(text.replace(/^#!.*\n/, '')))
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  it('is no longer than can be read', () => {
    const long = files.filter(({ text }) => text.split('\n').length > LONGEST)
    expect(long.map(({ path }) => path)).toEqual([])
  })
})

function targets(name: string, text: string): string[] {
  const found = text.matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g)
  return [...found].map((match) => relative(SRC, resolve(SRC, dirname(name), match[1] ?? match[2]!)))
}

function mayImport(folder: string, target: string): boolean {
  const from = dirname(target)
  if (from === folder) return true
  if (!MAY_IMPORT[folder]?.includes(from)) return false
  if (from === 'engine' && folder !== 'session') return ENGINE_FOR_TOOLS.includes(target.slice('engine/'.length))
  if (folder === 'measure') return SESSION_FOR_MEASURE.includes(target.slice('session/'.length))
  return true
}

/** The paths of a circle of imports, empty where there is none. */
function findCycle(): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const done = new Set<string>()
  const visit = (path: string, above: string[]): string[] => {
    if (above.includes(path)) return [...above.slice(above.indexOf(path)), path]
    const file = byPath.get(path)
    if (!file || done.has(path)) return []
    for (const target of file.loads) {
      const cycle = visit(target, [...above, path])
      if (cycle.length > 0) return cycle
    }
    done.add(path)
    return []
  }
  for (const { path } of files) {
    const cycle = visit(path, [])
    if (cycle.length > 0) return cycle
  }
  return []
}
