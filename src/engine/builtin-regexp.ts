// Regular expressions, JavaScript's own with code points as characters (flag u), as the library
// (nodwyn regexp). A pattern that cannot take long, going by its form and the length of the text, is
// matched at once; any other one in a context of its own, which is stopped after a second.

import { wrongType, type Builtin } from './builtin.ts'
import { checkRange, checkString, row } from './check.ts'
import { SchemeError } from './error.ts'
import { show } from './printer.ts'
import { DEFAULT, MutableString, SchemeSymbol, isPlain, list, type Value } from './value.ts'

const LONGEST_MS = 1000
/** Steps that are taken at once without being watched. */
const FEW_STEPS = 1e7

class Regexp {
  readonly typeName = 'regexp'
  readonly source: string
  readonly flags: string
  readonly compiled: RegExp
  /** The most steps that it takes on a text of n units is n to this power; Infinity where that is not so. */
  readonly power: number
  constructor(source: string, flags: string, compiled: RegExp) {
    this.source = source
    this.flags = flags
    this.compiled = compiled
    this.power = powerOf(source)
  }
}

/** The groups of a match as [start, end] in UTF-16 units, the whole first; null for one that took no part. */
class Match {
  readonly typeName = 'regexp-match'
  readonly text: string
  readonly spans: (readonly [number, number] | null)[]
  readonly names: ReadonlyMap<string, number>
  constructor(text: string, spans: Match['spans'], names: ReadonlyMap<string, number>) {
    this.text = text
    this.spans = spans
    this.names = names
  }
}

/** Each quantifier may try each length: with k of them, none around a group, that is at most n^(k+1)
 * steps. Groups that are repeated, references and look-around can take exponential time. */
function powerOf(source: string): number {
  const bare = source.replace(/\\[^1-9k]/g, 'a').replace(/\[(?:[^\]])*\]/g, 'a')
  if (/\)[*+?{]|\\[1-9k]|\(\?<?[=!]/.test(bare)) return Infinity
  return (bare.match(/[*+?{]/g) ?? []).length + 1
}

function compile(who: string, source: string, given: string): Regexp {
  if (!/^[ims]*$/.test(given)) throw new SchemeError(`${who}: unknown flags ${show(given)}`, { help: 'there are i (either case), m (^ and $ at lines) and s (. is a line’s end too)' })
  const flags = [...new Set(`${given}dgu`)].join('')
  try {
    return new Regexp(source, flags, new RegExp(source, flags))
  } catch (error) {
    const words = (error as Error).message.replace(/^Invalid regular expression: \/.*\/\w*: /s, '').toLowerCase()
    throw new SchemeError(`${who}: bad pattern ${show(source)}: ${words}`)
  }
}

/** A regexp, or a string that is taken as the pattern of one; those of late are kept. */
function regexpOf(who: string, value: Value): Regexp {
  if (value instanceof Regexp) return value
  if (typeof value !== 'string' && !(value instanceof MutableString)) throw wrongType(who, 'a regexp or a string', value)
  const source = String(value)
  let known = kept.get(source)
  if (!known) {
    if (kept.size > 100) kept.clear()
    kept.set(source, (known = compile(who, source, '')))
  }
  return known
}
const kept = new Map<string, Regexp>()

interface Vm {
  createContext(global: object): object
  Script: new (text: string) => { runInContext(context: object, options: { timeout: number }): unknown }
}
interface Watched {
  run(regexp: Regexp, text: string, from: number, most: number): Found[]
}
/** What JavaScript found: the index pairs of the groups. */
type Found = ([number, number] | undefined)[]

/** The matches from an index on, at most so many. `r` is the regular expression; also run as text elsewhere. */
function findAll(r: RegExp, text: string, from: number, most: number): Found[] {
  const found: Found[] = []
  r.lastIndex = from
  while (found.length < most) {
    const match = r.exec(text)
    if (!match) break
    found.push([...match.indices!])
    if (match[0] === '') r.lastIndex += (text.codePointAt(r.lastIndex) ?? 0) > 0xffff ? 2 : 1
  }
  r.lastIndex = 0
  return found
}

let watched: Watched | null = null

/** Only texts and numbers go to the other context, and come back from it. */
function makeWatched(): Watched {
  const vm = (process as unknown as { getBuiltinModule(name: string): Vm }).getBuiltinModule('node:vm')
  const global = Object.assign(Object.create(null) as object, { source: '', flags: '', text: '', from: 0, most: 0 })
  const context = vm.createContext(global)
  const script = new vm.Script(`JSON.stringify((${findAll.toString()})(new RegExp(source, flags), text, from, most))`)
  return {
    run: (regexp, text, from, most) => {
      Object.assign(global, { source: regexp.source, flags: regexp.flags, text, from, most })
      return JSON.parse(script.runInContext(context, { timeout: LONGEST_MS }) as string) as Found[]
    },
  }
}

function matches(who: string, regexp: Regexp, text: string, from: number, most: number): Match[] {
  const { compiled, power } = regexp
  const names = namesOf(regexp)
  const isQuick = text.length ** power <= FEW_STEPS
  try {
    const found = isQuick ? findAll(compiled, text, from, most) : (watched ??= makeWatched()).run(regexp, text, from, most)
    return found.map((spans) => new Match(text, spans.map((span) => span ?? null), names))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new SchemeError(`${who}: ${show(regexp.source)} took more than ${LONGEST_MS} ms on a text of ${text.length} characters`, {
      kind: 'limit',
      help: 'a repetition inside a repetition can try each way to divide the text: write it with one',
    })
  }
}

function namesOf({ source }: Regexp): ReadonlyMap<string, number> {
  const names = new Map<string, number>()
  let group = 0
  for (const [, name] of source.replace(/\\./gs, '').replace(/\[[^\]]*\]/g, '').matchAll(/\((?:\?<(?![=!])([^>]+)>|(?!\?))/g)) {
    group++
    if (name !== undefined) names.set(name, group)
  }
  return names
}

const characters = (text: string, units: number): number => (isPlain(text) ? units : Array.from(text.slice(0, units)).length)
const units = (text: string, count: number): number => (isPlain(text) ? count : Array.from(text).slice(0, count).join('').length)

function startOf(who: string, text: string, start: Value): number {
  const [from] = checkRange(who, start, DEFAULT, 'a string', characters(text, text.length))
  return units(text, from)
}

function spanOf(who: string, match: Value, group: Value): readonly [number, number] | null {
  if (!(match instanceof Match)) throw wrongType(who, 'a match of a regexp', match)
  const index = group === DEFAULT ? 0 : typeof group === 'number' ? group : match.names.get(group instanceof SchemeSymbol ? group.name : checkString(who, group))
  const span = index === undefined ? undefined : match.spans[index]
  if (span === undefined) throw new SchemeError(`${who}: the pattern has no group ${show(group)}`, { help: `it has ${match.spans.length - 1} groups${match.names.size === 0 ? '' : `, among them ${[...match.names.keys()].join(' ')}`}` })
  return span
}

/** `$1` `$<name>` `$&` and `$$` in the text that replaces a match. */
function filled(replacement: string, match: Match): string {
  const part = (span: readonly [number, number] | null | undefined): string => (span ? match.text.slice(...span) : '')
  return replacement.replace(/\$(?:(\$)|(&)|(\d{1,2})|<([^>]*)>)/g, (whole: string, dollar?: string, all?: string, group?: string, name?: string) => {
    if (dollar) return '$'
    if (all) return part(match.spans[0])
    if (group !== undefined) return Number(group) < match.spans.length ? part(match.spans[Number(group)]) : whole
    return part(match.spans[match.names.get(name!) ?? -1])
  })
}

function replaced(who: string, pattern: Value, text: Value, replacement: Value, most: number): Value {
  const subject = checkString(who, text)
  const words = checkString(who, replacement)
  let result = ''
  let at = 0
  for (const match of matches(who, regexpOf(who, pattern), subject, 0, most)) {
    const [start, end] = match.spans[0]!
    result += subject.slice(at, start) + filled(words, match)
    at = end
  }
  return new MutableString(result + subject.slice(at))
}

const fresh = (text: string): Value => new MutableString(text)

export const regexpBuiltins: Builtin[] = [
  row('regexp', 'pattern [flags]', 'A regular expression as JavaScript has them, by code point. Flags: i either case, m lines, s dot takes all.', (pattern: Value, flags: Value) =>
    pattern instanceof Regexp ? pattern : compile('regexp', checkString('regexp', pattern), flags === DEFAULT ? '' : checkString('regexp', flags))),
  row('regexp?', 'obj', 'Tells whether obj is a regexp.', (value: Value) => value instanceof Regexp),
  row('regexp-quote', 'string', 'A pattern that matches just that string.', (text: Value) => fresh(checkString('regexp-quote', text).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))),
  row('regexp-search', 'regexp string [start]', 'The first match from start on, or #f. A string is taken as a pattern. Stopped after a second.', (pattern: Value, text: Value, start: Value) => {
    const subject = checkString('regexp-search', text)
    return matches('regexp-search', regexpOf('regexp-search', pattern), subject, startOf('regexp-search', subject, start), 1)[0] ?? false
  }),
  row('regexp-matches', 'regexp string', 'The match of the whole string, or #f.', (pattern: Value, text: Value) => whole('regexp-matches', pattern, text) ?? false),
  row('regexp-matches?', 'regexp string', 'Tells whether the whole string matches.', (pattern: Value, text: Value) => whole('regexp-matches?', pattern, text) !== null),
  row('regexp-match?', 'obj', 'Tells whether obj is a match.', (value: Value) => value instanceof Match),
  row('regexp-match-count', 'match', 'How many groups a match has, the whole not counted.', (match: Value) => {
    spanOf('regexp-match-count', match, DEFAULT)
    return (match as Match).spans.length - 1
  }),
  row('regexp-match-ref', 'match [group]', 'The text of a group, by number or name; #f where it took no part. 0, and without one: the whole.', (match: Value, group: Value) => {
    const span = spanOf('regexp-match-ref', match, group)
    return span ? fresh((match as Match).text.slice(...span)) : false
  }),
  row('regexp-match-start', 'match [group]', 'The index at which a group begins, in characters; #f where it took no part.', (match: Value, group: Value) => {
    const span = spanOf('regexp-match-start', match, group)
    return span ? characters((match as Match).text, span[0]) : false
  }),
  row('regexp-match-end', 'match [group]', 'The index behind a group, in characters; #f where it took no part.', (match: Value, group: Value) => {
    const span = spanOf('regexp-match-end', match, group)
    return span ? characters((match as Match).text, span[1]) : false
  }),
  row('regexp-search-all', 'regexp string', 'The list of all matches, in order.', (pattern: Value, text: Value) =>
    list(matches('regexp-search-all', regexpOf('regexp-search-all', pattern), checkString('regexp-search-all', text), 0, Infinity))),
  row('regexp-extract', 'regexp string', 'The texts of all matches, in order.', (pattern: Value, text: Value) =>
    list(matches('regexp-extract', regexpOf('regexp-extract', pattern), checkString('regexp-extract', text), 0, Infinity).map((match) => fresh(match.text.slice(...match.spans[0]!))))),
  row('regexp-replace', 'regexp string replacement', 'The string with the first match replaced; $1, $<name>, $& and $$ stand for groups, the match, and a dollar.', (pattern: Value, text: Value, replacement: Value) =>
    replaced('regexp-replace', pattern, text, replacement, 1)),
  row('regexp-replace-all', 'regexp string replacement', 'As regexp-replace, for every match.', (pattern: Value, text: Value, replacement: Value) =>
    replaced('regexp-replace-all', pattern, text, replacement, Infinity)),
  row('regexp-split', 'regexp string', 'The parts of a string between matches.', (pattern: Value, text: Value) => {
    const subject = checkString('regexp-split', text)
    const parts: Value[] = []
    let at = 0
    for (const { spans } of matches('regexp-split', regexpOf('regexp-split', pattern), subject, 0, Infinity)) {
      const [start, end] = spans[0]!
      if (end === 0 || (start === end && start === subject.length)) continue
      parts.push(fresh(subject.slice(at, start)))
      at = end
    }
    return list([...parts, fresh(subject.slice(at))])
  }),
]

function whole(who: string, pattern: Value, text: Value): Match | null {
  const { source, flags } = regexpOf(who, pattern)
  const anchored = new Regexp(`^(?:${source})$`, flags.replace('m', ''), new RegExp(`^(?:${source})$`, flags.replace('m', '')))
  return matches(who, anchored, checkString(who, text), 0, 1)[0] ?? null
}
