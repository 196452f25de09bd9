// An engine put together: builtins, prelude, environments, and texts evaluated form by form.

import { checkString } from './check.ts'
import { show } from './printer.ts'
import { arityOf, wrongType, type Builtin } from './builtin.ts'
import { charBuiltins } from './builtin-char.ts'
import { dataBuiltins } from './builtin-data.ts'
import { hostBuiltins, type Host } from './builtin-host.ts'
import { listBuiltins } from './builtin-list.ts'
import { numberBuiltins } from './builtin-number.ts'
import { InputPort, portBuiltins, outputPort } from './builtin-port.ts'
import { regexpBuiltins } from './builtin-regexp.ts'
import { stringBuiltins } from './builtin-string.ts'
import { tableBuiltins } from './builtin-table.ts'
import { vectorBuiltins } from './builtin-vector.ts'
import { generateUnit, type Code, type Way } from './codegen.ts'
import { Compiler, makeResumption } from './compiler.ts'
import { controlBuiltins, controlProcedures, makeParameterProcedure, parameterValue } from './control.ts'
import type { Core } from './core.ts'
import { derivedSyntax } from './derived.ts'
import { nearest } from './distance.ts'
import { makeBinary, makeDirect, makeProcedure, makeTest, type Direct } from './direct.ts'
import { SchemeError } from './error.ts'
import { Expander, sequenceOf } from './expander.ts'
import { unpackConstants, type Image } from './image.ts'
import type { Engine, EngineOptions, EvaluateOptions, HostProcedure } from './index.ts'
import { Inline, USUAL_NAMES } from './inline.ts'
import { Inlining } from './inlining.ts'
import { Machine, arityMessage, type Inherited } from './machine.ts'
import { normalize } from './normal.ts'
import { Libraries } from './library.ts'
import type { Source } from './reader.ts'
import { Sources } from './source.ts'
import { SYNTAX_DOCS } from './syntax-doc.ts'
import { Environment, Macro, Special, isIdentifier, stripAliases } from './syntax.ts'
import { Cell, DynamicParameter, Pair, SchemeSymbol, UNSPECIFIED, intern, list, type Procedure, type Value } from './value.ts'

type Compiled = Omit<Image, 'text'> & { make: (...parameters: unknown[]) => Procedure }

export class Runtime implements Engine {
  private readonly machine: Machine
  /** The engine's own names; and the program's, which start as a copy and may be redefined. */
  private readonly base = new Environment()
  private readonly environment = new Environment(this.base)
  private readonly sources = new Sources()
  /** The builtins' rows by name; a procedure is made of one when something first asks for it. */
  private readonly rows = new Map<string, Builtin>()
  private readonly directs = new Map<string, Direct>()
  private readonly baseInlines = new Map<Cell, Inline>()
  private readonly inlining = new Inlining(this.baseInlines)
  private readonly compiler: Compiler
  private readonly expander: Expander
  private readonly libraries: Libraries
  /** Writes out what is held for files. */
  private flush = (): void => {}
  /** Names that are defined by Scheme that has not been loaded. */
  private readonly waiting = new Map<string, Compiled>()
  private readonly docs = new Map<string, { usage: string; doc: string }>()

  constructor({ onOutput = () => {}, include, library, depthLimit, fuel, memory, ...host }: EngineOptions) {
    this.machine = new Machine({ depthLimit, fuel, memory })
    this.machine.suggest = (name) => this.suggest(name)
    this.compiler = new Compiler(this.machine, (name, way) => this.direct(name, way), this.sources)
    this.base.onUnknown = (symbol) => this.makeBuiltin(symbol.name) ?? this.loadFor(symbol.name)
    this.environment.onInherit = (own, inherited) => this.inlining.inherit(own, inherited)
    this.defineBuiltins(onOutput, host)
    for (const name of USUAL_NAMES) this.baseInlines.set(this.base.cell(intern(name)), new Inline(name, Infinity, -1))
    this.expander = new Expander(this.base, this.inlining, this.sources)
    if (include) this.expander.include = (file, from) => withWords('include', file, () => include(file, from))
    this.libraries = new Libraries(this.expander, () => this.names(), (core) => this.compiler.compile(core), library ?? (() => null))
    this.expander.libraries = this.libraries
    for (const special of [...this.expander.basicSyntax(), ...derivedSyntax(this.expander), ...this.libraries.syntax()])
      this.base.set(intern(special.name), special)
    this.defineEval(host)
  }

  private defineBuiltins(onOutput: (text: string) => void, host: Host): void {
    const { machine } = this
    const world = hostBuiltins(host)
    this.flush = world.flush
    const output = new DynamicParameter(outputPort(onOutput), null)
    const input = new DynamicParameter(new InputPort(host.input ?? ''), null)
    const ports = portBuiltins({
      currentOutput: () => parameterValue(machine, output),
      currentError: () => parameterValue(machine, output),
      currentInput: () => parameterValue(machine, input),
    })
    const tables = [numberBuiltins, listBuiltins, charBuiltins, stringBuiltins, vectorBuiltins, dataBuiltins, tableBuiltins, regexpBuiltins, ports, world.rows]
    for (const row of [...tables.flat(), ...controlBuiltins(machine)]) this.rows.set(row.name, row)
    for (const { name, params, doc, procedure } of controlProcedures(machine)) {
      this.setBase(name, checkedControl(name, params, procedure))
      this.docs.set(name, { usage: usageOf(name, params), doc })
    }
    const current = (name: string, parameter: DynamicParameter, doc: string): void => {
      this.setBase(name, makeParameterProcedure(machine, parameter))
      this.docs.set(name, { usage: `(${name})`, doc })
    }
    current('current-output-port', output, 'The port that display and its like write to; parameterize binds it.')
    current('current-error-port', output, 'The port for messages, which is the current output port here.')
    current('current-input-port', input, 'The port that read and its like read from; parameterize binds it.')
  }

  /** The function behind a builtin. */
  private direct(name: string, way: Way = 'plain'): Direct | undefined {
    const key = `${way} ${name}`
    const known = this.directs.get(key)
    const row = this.rows.get(name)
    if (known || !row) return known
    const direct = this.makeDirect(row, way)
    this.directs.set(key, direct)
    return direct
  }

  private makeDirect(row: Builtin, way: Way): Direct {
    if (way === 'plain') return makeDirect(row, this.machine)
    if (way === 'two') return makeBinary(row, this.direct(row.name)!) ?? this.direct(row.name)!
    return makeTest(this.direct(row.name, way === 'test' ? 'plain' : 'two')!, this.machine)
  }

  private makeBuiltin(name: string): Cell | undefined {
    const row = this.rows.get(name)
    if (!row) return undefined
    const cell = new Cell(name)
    cell.value = makeProcedure(row, this.direct(name)!)
    const { least, most } = arityOf(row.params)
    this.baseInlines.set(cell, new Inline(name, least, most))
    return cell
  }

  private setBase(name: string, value: Value): Cell {
    const cell = this.base.cell(intern(name))
    cell.value = value
    return cell
  }

  /** `eval`, `load` and their environments. */
  private defineEval(host: Host): void {
    const run = (core: Core, depth: number): Value => this.compiler.compile(core)(depth + 1)
    const define = (name: string, params: string, doc: string, procedure: Procedure): void => {
      this.setBase(name, checkedControl(name, params, procedure))
      this.docs.set(name, { usage: usageOf(name, params), doc })
    }
    define('eval', 'form [environment]', 'Evaluates a form in an environment: the one of the program where none is given.', (depth, form, environment = this.environment) => {
      if (!(environment instanceof Environment)) throw wrongType('eval', 'an environment', environment)
      this.expander.at = -1
      const cores = [...this.expander.topLevel(form!, environment.top)]
      return run(cores.length === 0 ? { kind: 'const', value: UNSPECIFIED } : sequenceOf(cores), depth)
    })
    define('environment', 'set ...', 'The environment in which the names of some import sets are bound, as import binds them.', (depth, ...sets) => {
      const environment = new Environment()
      this.expander.at = -1
      const imported = this.libraries.import(sets, environment)
      return run({ kind: 'seq', first: imported, second: { kind: 'const', value: environment } }, depth)
    })
    const report = (name: string, doc: string) =>
      define(name, 'version', doc, (_depth, version) => {
        if (version !== 5 && version !== 7) throw wrongType(name, 'the version 5 or 7', version!)
        const environment = new Environment()
        this.libraries.import([list([intern('scheme'), intern(version === 5 ? 'r5rs' : 'base')])], environment)
        return environment
      })
    report('scheme-report-environment', 'The environment of the names of R5RS (5) or of the base library of R7RS (7).')
    report('null-environment', 'As scheme-report-environment.')
    define('load', 'path [environment]', 'Evaluates the forms of a file in an environment: the one of the program where none is given.', (_depth, path, environment = this.environment) => {
      if (!(environment instanceof Environment)) throw wrongType('load', 'an environment', environment)
      const file = checkString('load', path!)
      if (!host.files) throw new SchemeError(`load: there are no files here, got ${show(file)}`, { kind: 'file' })
      const text = withWords('load', file, () => new TextDecoder().decode(host.files!.read(file)))
      return this.machine.wait(this.evaluateIn(environment, text, { file, ...this.machine.inherit() }).then(() => UNSPECIFIED))
    })
    for (const name of ['interaction-environment', 'system-global-environment'])
      define(name, '', 'The environment of the program.', () => this.environment)
  }

  // -- the engine's own Scheme -------------------------------------------------------------------

  /** Defines what a compiled file of the engine's own does. */
  load(image: Compiled): void {
    let again: Code | null = null
    const table = unpackConstants(
      image.constants,
      (name) => this.base.cell(intern(name)),
      (name, way) => this.direct(name, way),
      (index) =>
        makeResumption(
          () => {
            again ??= this.compileImage(image.source).code
            const constant = again.constants[index]!
            if (constant.kind !== 'site') throw new Error('compiled Scheme does not fit its text: run the build')
            return this.compiler.resume(constant.site)
          },
          () => null,
          '',
        ),
    )
    const value = this.machine.start(() => image.make(...this.machine.values, ...table)(0))
    if (value instanceof Promise) throw new Error('the engine waits for its own Scheme')
    this.machine.raise ??= this.base.cell(intern('raise')).value as Procedure
    for (const [name, entry] of Object.entries(image.docs)) this.docs.set(name, entry)
  }

  /** Loads it when one of the names that it documents is first looked up. */
  loadWhenUsed(image: Compiled): void {
    for (const [name, entry] of Object.entries(image.docs)) {
      this.docs.set(name, entry)
      this.waiting.set(name, image)
    }
  }

  private loadFor(name: string): Cell | undefined {
    const image = this.waiting.get(name)
    if (!image) return undefined
    for (const [other, its] of this.waiting) if (its === image) this.waiting.delete(other)
    this.load(image)
    return this.base.cell(intern(name))
  }

  /** The code of a file of the engine's own as one unit; for the build, and for sites of it that are resumed. */
  compileImage(text: string): { code: Code; docs: Image['docs'] } {
    const { expander } = this
    const source = new Sources().read(text, 'engine')
    const cores = source.data.flatMap((form) => [...expander.topLevel(form, this.base.top)])
    const docs = Object.fromEntries([...expander.docs].filter(([name]) => !name.startsWith('%')))
    return { code: generateUnit(normalize(sequenceOf(cores)), ''), docs }
  }

  // -- the engine as its host sees it --------------------------------------------------------------

  async evaluate(text: string, { timeLimit, memory, ...options }: EvaluateOptions = {}): Promise<Value> {
    const usual = this.machine.memory
    this.machine.memory = memory ?? usual
    const bounded = timeLimit === undefined ? options : { ...options, signal: withTimeLimit(timeLimit, options.signal) }
    try {
      return await this.evaluateIn(this.environment, text, bounded)
    } finally {
      this.machine.memory = usual
      this.flush()
    }
  }

  /** Form by form, since what one does can change what the next one means. Definitions of procedures run
   * nothing of the program: those in a row are compiled together with the form that follows them. */
  private async evaluateIn(environment: Environment, text: string, options: EvaluateOptions & Inherited): Promise<Value> {
    const source = this.sources.read(text, options.file ?? 'repl')
    this.noteRedefinitions(source)
    let waiting: Form[] = []
    const run = (i: number): Value | Promise<Value> => {
      const forms = waiting
      waiting = []
      return forms.length === 0 ? UNSPECIFIED : this.run(forms, source, i, options)
    }
    let value: Value = UNSPECIFIED
    for (let i = 0; i < source.data.length; i++) {
      const cores = this.expander.topLevel(source.data[i]!, environment.top)
      for (;;) {
        let next
        try {
          next = this.guarded(() => cores.next(), source, i)
        } catch (error) {
          await run(i)
          throw error
        }
        if (next.done) break
        waiting.push({ core: next.value, used: this.inlining.takeUsed() })
        if (!isProcedureDefinition(next.value) || waiting.length === MOST_TOGETHER) value = await run(i)
      }
    }
    return waiting.length === 0 ? value : run(source.data.length - 1)
  }

  private async run(forms: Form[], source: Source, i: number, options: EvaluateOptions & Inherited): Promise<Value> {
    const compile = (tree: Core) => this.compiler.compile(tree)
    const settled = new Set(forms.flatMap(({ core }) => (isProcedureDefinition(core) ? [core.cell] : [])))
    const unit = this.guarded(() => this.compiler.compile(sequenceOf(forms.map(({ core }) => core)), settled), source, i)
    for (const renew of this.inlining.takeStale()) renew((made) => this.machine.start(() => made(0)) as Value)
    const value = await this.machine.start(() => unit(0), options.signal, options.inherited)
    options.onValue?.(value)
    for (const { core, used } of forms) this.inlining.remember(core, used, compile)
    return value
  }

  /** A step of the compiler for the ith form, with JavaScript's limit on nesting in Scheme's words. */
  private guarded<T>(step: () => T, source: Source, i: number): T {
    this.expander.source = source
    this.expander.at = source.starts[i]!
    try {
      return step()
    } catch (error) {
      // JavaScript's own limits: of its stack, and of the arguments of one call.
      const isLimit = error instanceof RangeError || (error instanceof SyntaxError && /too many/i.test(error.message))
      if (!isLimit) throw error
      throw new SchemeError('the form is nested too deeply, or a call has too many arguments, to be compiled', { kind: 'limit', position: source.position(source.starts[i]!) })
    } finally {
      this.expander.source = null
    }
  }

  /** A builtin that a text redefines is not inlined in it, not even before the definition. */
  private noteRedefinitions(source: Source): void {
    for (const name of definedNames(source)) {
      const meaning = this.environment.known(name) && this.environment.meaning(name)
      if (meaning instanceof Cell) this.inlining.forget(meaning)
    }
  }

  async call(procedure: Value, args: Value[], options: { signal?: AbortSignal } = {}): Promise<Value> {
    return this.machine.start(() => this.machine.callee(procedure)(0, ...args), options.signal)
  }

  define(name: string, { params, usage = usageOf(name, params), doc, run }: HostProcedure): void {
    const { least, most } = arityOf(params)
    const names = params.split(/\s+/).filter((word) => word !== '' && word !== '...')
    const { machine } = this
    const procedure: Procedure = (_depth, ...args) => {
      if (args.length < least || args.length > most)
        throw new SchemeError(arityMessage(name, names.slice(0, least), most, args.length), { help: `the form is ${usage.split('\n')[0]}` })
      const { label: labels, signal } = machine
      const here = new SchemeError('')
      const result = run(args, {
        labels,
        signal,
        get position() {
          machine.addPlace(here)
          return here.position
        },
      })
      return result instanceof Promise ? machine.wait(machine.placed(result, here)) : result
    }
    Object.assign(procedure, { schemeName: name })
    this.baseInlines.delete(this.setBase(name, procedure))
    const meaning = this.environment.meaning(intern(name))
    const cell = meaning instanceof Cell ? meaning : this.environment.cell(intern(name))
    this.inlining.forget(cell)
    cell.value = procedure
    this.docs.set(name, { usage, doc: doc ?? '' })
  }

  lookup(name: string): Value | undefined {
    const meaning = this.environment.known(intern(name))
    return meaning instanceof Cell ? meaning.value : undefined
  }

  names(): string[] {
    const builtins = [...this.rows.keys()].filter((name) => !name.startsWith('%'))
    return [...new Set([...this.environment.names(), ...builtins, ...this.waiting.keys()])].sort()
  }

  ownNames(): string[] {
    return this.environment.ownNames().filter((name) => this.environment.known(intern(name)) instanceof Macro || this.lookup(name) !== undefined)
  }

  expand(text: string): Value {
    const source = this.sources.read(text, 'expand')
    let form = source.data[0] ?? UNSPECIFIED
    const { top } = this.environment
    this.expander.source = source
    try {
      for (;;) {
        const meaning = form instanceof Pair && isIdentifier(form.car) ? top.meaning(form.car) : null
        if (!(meaning instanceof Macro)) return stripAliases(form)
        form = meaning.transform(form as Pair, top)
      }
    } finally {
      this.expander.source = null
    }
  }

  get isBusy(): boolean {
    return this.machine.isBusy
  }

  describe(name: string): { usage: string; doc: string } | null {
    const meaning = this.environment.known(intern(name))
    if (meaning instanceof Special || meaning instanceof Macro) {
      const isOurs = this.base.known(intern(name)) === meaning
      return { usage: meaning instanceof Special ? meaning.usage : `(${name} …)`, doc: (isOurs && SYNTAX_DOCS.get(name)) || '' }
    }
    const row = this.rows.get(name)
    const builtin = row ? { usage: usageOf(name, row.params), doc: row.doc ?? '' } : null
    return this.expander.docs.get(name) ?? this.docs.get(name) ?? builtin
  }

  private suggest(name: string): string | null {
    const near = nearest(name, this.names())
    return near === null ? null : `did you mean ${near}`
  }
}

/** A signal that is aborted after so many milliseconds, with an error in words, or when `signal` is. */
function withTimeLimit(limit: number, signal: AbortSignal | undefined): AbortSignal {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(new SchemeError(`out of time: the program took more than ${limit} ms`, { kind: 'limit' })), limit)
  timer.unref?.()
  return signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
}

/** A top-level form, expanded, and the builtins that it calls directly. */
interface Form {
  core: Core
  used: ReadonlySet<Cell>
}

/** How many definitions are compiled together. */
const MOST_TOGETHER = 64

function isProcedureDefinition(core: Core): core is Core & { kind: 'global-set' } {
  return core.kind === 'global-set' && core.define && core.value.kind === 'lambda'
}

/** The names that the top level of a text defines or sets. */
function definedNames(source: Source): SchemeSymbol[] {
  const names: SchemeSymbol[] = []
  const visit = (form: Value): void => {
    if (!(form instanceof Pair) || !(form.car instanceof SchemeSymbol) || !(form.cdr instanceof Pair)) return
    const kind = form.car.name
    if (kind === 'begin') for (let rest: Value = form.cdr; rest instanceof Pair; rest = rest.cdr) visit(rest.car)
    else if (kind === 'define-record-type') names.push(...symbolsIn(form.cdr))
    else if (kind === 'define-values' || kind === 'set!' || kind === 'define') names.push(...symbolsIn(form.cdr.car))
  }
  source.data.forEach(visit)
  return names
}

function symbolsIn(datum: Value): SchemeSymbol[] {
  if (datum instanceof SchemeSymbol) return [datum]
  const found: SchemeSymbol[] = []
  for (; datum instanceof Pair; datum = datum.cdr) found.push(...symbolsIn(datum.car))
  if (datum instanceof SchemeSymbol) found.push(datum)
  return found
}

/** What the host's reading of a file throws, as a condition. */
function withWords(who: string, file: string, read: () => string): string {
  try {
    return read()
  } catch (error) {
    throw new SchemeError(`${who}: cannot read ${file}: ${(error as Error).message}`, { kind: 'file' })
  }
}

function usageOf(name: string, params: string): string {
  return `(${[name, params].filter(Boolean).join(' ')})`
}

function checkedControl(name: string, params: string, procedure: Procedure): Procedure {
  const { least, most } = arityOf(params)
  const names = params.split(/\s+/).filter((word) => word !== '' && word !== '...')
  const checked: Procedure = (depth, ...args) => {
    if (args.length < least || args.length > most)
      throw new SchemeError(arityMessage(name, names.slice(0, least), most, args.length), { help: `the form is ${usageOf(name, params)}` })
    return procedure(depth, ...args)
  }
  return Object.assign(checked, { schemeName: name })
}
