// outline: what a source file defines, with line ranges, so that a part of it can be read. Grammars of
// tree-sitter find it; a file with mistakes is outlined as far as it can be read.

import { createRequire } from 'node:module'
import { basename, extname } from 'node:path'
import type { Language, Node, Parser, Tree, TreeCursor } from 'web-tree-sitter'
import type { Json } from './json.ts'
import { grammarFor, LANGUAGES, type Grammar, type NodeRule } from './outline-grammar.ts'
import { outlineMarkdown, outlineScheme } from './outline-text.ts'
import type { Prim } from './prim.ts'
import { readable } from './read.ts'
import { ToolError } from './tool-error.ts'

/** At 4.8 MB a parser was seen to abort, and 2 MB can take it to its time limit. */
const MOST_BYTES = 2_000_000
const MOST_MS = 5000
const MOST_ENTRIES = 400
const MOST_CHARACTERS = 30_000
const SIGNATURE_WIDTH = 160
/** Of its text before spaces are drawn together. */
const MOST_SIGNATURE = 2000
/** Nobody nests classes so deep by hand. */
const MOST_DEPTH = 20

export interface OutlineEntry {
  /** `function`, `class`, `heading`, …; of Scheme the form's own name. */
  kind: string
  /** As the file has it. Where there is none, the signature. */
  name: string
  /** In one line, without hidden characters. */
  signature: string
  /** Lines, from 1, both included. */
  first: number
  last: number
  depth: number
}

export const outline: Prim = {
  name: 'outline',
  doc: 'Lists what a source file defines, with line ranges: functions, classes and their methods, types, headings. Use it before reading a long file, then read the lines that matter.',
  readOnly: true,
  effect: 'read',
  params: [{ name: 'path', type: 'string', role: 'path', doc: 'The file, relative to the workspace.' }],

  async run(args, { workspace }) {
    const { target, bytes } = await workspace.read(args.get('path') as string)
    const { given } = target
    if (bytes.length > MOST_BYTES) throw new ToolError('other', `${given} is too large for an outline: ${bytes.length} bytes, the most is ${MOST_BYTES}`, { help: GO_ON })
    const { entries, broken, unseen } = await outlineOf(given, readable(bytes, given).replace(/^\ufeff/, ''))
    const shown = firstLines(entries)
    const next = entries[shown.length]
    if (entries.length === 0) shown.push(`${given} defines nothing that an outline shows`)
    if (next) shown.push(`… ${entries.length - shown.length} more, from line ${next.first} on; go on with fs-read and offset ${next.first}`)
    if (broken !== null) shown.push(`(from line ${broken} on parts of it cannot be parsed)`)
    if (unseen !== null) shown.push(`(what begins behind line ${unseen} is not in it: there was no time for it; go on with fs-read and offset ${unseen})`)
    return { text: shown.join('\n'), value: entries.map(toJson) }
  },
}

const GO_ON = 'use fs-read with offset and limit, or index-grep'

function firstLines(entries: OutlineEntry[]): string[] {
  const shown: string[] = []
  let size = 0
  for (const entry of entries.slice(0, MOST_ENTRIES)) {
    const line = entryLine(entry)
    size += line.length + 1
    if (size > MOST_CHARACTERS) break
    shown.push(line)
  }
  return shown
}

function entryLine({ first, last, depth, signature }: OutlineEntry): string {
  return `${(first === last ? String(first) : `${first}-${last}`).padStart(9)}  ${'  '.repeat(depth)}${signature}`
}

function toJson({ kind, name, signature, first, last, depth }: OutlineEntry): Json {
  return new Map<string, Json>([['kind', kind], ['name', name], ['signature', signature], ['first', first], ['last', last], ['depth', depth]])
}

interface Outlined {
  entries: OutlineEntry[]
  /** The first line that could not be parsed. */
  broken: number | null
  /** The line where time was over. */
  unseen: number | null
}

async function outlineOf(path: string, text: string): Promise<Outlined> {
  const extension = extensionOf(path, text)
  if (/^(md|markdown|mdx)$/.test(extension)) return { entries: outlineMarkdown(text).map(tidy), broken: null, unseen: null }
  if (/^(scm|ss|sld|sls|sps|rkt|lisp|lsp|cl)$/.test(extension)) return { entries: outlineScheme(text).map(tidy), broken: null, unseen: null }
  const grammar = grammarFor(extension)
  if (!grammar) throw new ToolError('other', `there is no outline of ${extension === '' ? 'files without an extension' : `.${extension} files`}`, { help: `it knows ${LANGUAGES}; use fs-read or index-grep` })
  return outlineBy(grammar, path, text)
}

/** Of a script without one, by its first line. */
function extensionOf(path: string, text: string): string {
  const own = extname(path).slice(1).toLowerCase()
  if (own !== '') return own
  if (/^(Rakefile|Gemfile|Vagrantfile)$/.test(basename(path))) return 'rb'
  const words = text.startsWith('#!') ? text.slice(2, 200).split('\n')[0]!.trim().split(/ +/).map((word) => basename(word)) : []
  const program = (words[0] === 'env' ? words.slice(1).find((word) => !word.startsWith('-')) : words[0]) ?? ''
  return PROGRAMS.get(program.replace(/[\d.]+$/, '')) ?? ''
}

const PROGRAMS = new Map([['sh', 'sh'], ['bash', 'sh'], ['dash', 'sh'], ['zsh', 'sh'], ['ksh', 'sh'], ['python', 'py'], ['node', 'js'], ['ruby', 'rb'], ['php', 'php']])

async function outlineBy(grammar: Grammar, path: string, text: string): Promise<Outlined> {
  const parser = await parserFor(grammar.name)
  let tree: Tree | null = null
  try {
    const end = performance.now() + MOST_MS
    tree = parser.parse(text, null, { progressCallback: () => performance.now() > end })
    if (tree) return walk(tree, grammar.nodes, text)
    parser.reset()
  } catch (error) {
    // The WebAssembly module aborts where it cannot go on; the parser that it left half done is not used again.
    if (!(error instanceof Error && /^(RuntimeError|RangeError)$/.test(error.name))) throw error
    parsers.delete(grammar.name)
    throw new ToolError('other', `${path} is more than its parser can take`, { help: GO_ON })
  } finally {
    tree?.delete()
  }
  throw new ToolError('other', `${path} could not be parsed within ${MOST_MS / 1000} seconds`, { help: GO_ON })
}

const parsers = new Map<string, Promise<Parser>>()

function parserFor(name: string): Promise<Parser> {
  let parser = parsers.get(name)
  if (!parser) parsers.set(name, (parser = loadParser(name)))
  return parser
}

async function loadParser(name: string): Promise<Parser> {
  const { Parser, Language } = await import('web-tree-sitter')
  await Parser.init()
  const file = createRequire(import.meta.url).resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`)
  const language: Language = await Language.load(file)
  return new Parser().setLanguage(language)
}

/** A node that the walk is inside of. The node itself is kept where an entry may want it: asking a node for
 * its parent takes longer the deeper it lies. */
interface Above {
  type: string
  node: Node | null
  isEntry: boolean
}

/** Step by step, so that no depth of the tree matters. */
function walk(tree: Tree, rules: Grammar['nodes'], text: string): Outlined {
  const end = performance.now() + MOST_MS
  const entries: OutlineEntry[] = []
  const cursor = tree.walk()
  const above: Above[] = []
  let unseen: number | null = null
  let depth = 0
  let steps = 0
  for (let isDone = false; !isDone; ) {
    const { nodeType: type } = cursor
    const rule = Object.hasOwn(rules, type) && cursor.nodeIsNamed ? rules[type]! : undefined
    const isEntry = rule !== undefined && isMeant(rule, cursor, above.at(-1))
    if (isEntry) entries.push(entryOf(cursor.currentNode, rule, depth, above, text))
    const enters = (!isEntry || rule.inside === true) && depth < MOST_DEPTH
    if (enters && cursor.gotoFirstChild()) {
      above.push({ type, node: WRAPPERS.has(type) || APART.has(type) ? cursorParent(cursor) : null, isEntry })
      if (isEntry) depth++
      continue
    }
    while (!cursor.gotoNextSibling()) {
      if (above.length === 0) {
        isDone = true
        break
      }
      cursor.gotoParent()
      if (above.pop()!.isEntry) depth--
    }
    if (++steps % 1000 === 0 && performance.now() > end) {
      unseen = cursor.startPosition.row + 1
      isDone = true
    }
  }
  cursor.delete()
  return { entries: entries.filter(isNamed).map(tidy), broken: firstError(tree), unseen }
}

/** The line of the first mistake, in the bodies of functions too: down through what holds one. */
function firstError(tree: Tree): number | null {
  const cursor = tree.walk()
  let line: number | null = null
  for (let isDone = !tree.rootNode.hasError; !isDone; ) {
    const { hasError, isError, isMissing } = cursor.currentNode
    if (isError || isMissing) {
      line = cursor.startPosition.row + 1
      break
    }
    isDone = !(hasError ? cursor.gotoFirstChild() : cursor.gotoNextSibling())
  }
  cursor.delete()
  return line
}

/** The node above the one that the cursor has just gone down to. */
function cursorParent(cursor: TreeCursor): Node {
  cursor.gotoParent()
  const node = cursor.currentNode
  cursor.gotoFirstChild()
  return node
}

function isMeant({ having, within }: NodeRule, cursor: TreeCursor, parent: Above | undefined): boolean {
  if (within !== undefined && parent?.type !== within && parent?.type !== 'ERROR') return false
  if (!having) return true
  // A declarator may stand in others: those of pointers and references.
  for (let node: Node | null = cursor.currentNode, steps = 0; node && steps < 5; steps++) {
    if (node.namedChildren.some((child) => child && having.includes(child.type))) return true
    node = declaratorOf(node)
  }
  return false
}

/** Its text up to the body, in one line. */
function entryOf(node: Node, { kind }: NodeRule, depth: number, above: Above[], text: string): OutlineEntry {
  let wrapper = node
  for (let i = above.length - 1; i >= 0; i--) {
    const around = above[i]!
    if (!around.node || !(APART.has(around.type) || around.node.namedChildCount === 1)) break
    wrapper = around.node
  }
  const body = bodyOf(node)
  const end = body ? body.startIndex : lineEnd(text, node.startIndex, Math.min(node.endIndex, node.startIndex + MOST_SIGNATURE))
  const start = APART.has(wrapper.type) ? node.startIndex : wrapper.startIndex
  const signature = typedefOf(node, text) ?? text.slice(start, Math.min(end, start + MOST_SIGNATURE))
  return { kind, name: nameOf(node, text) ?? tidySignature(signature), signature, first: wrapper.startPosition.row + 1, last: wrapper.endPosition.row + 1, depth }
}

/** What stands around a definition and belongs to it, where it is the only one in it. */
const WRAPPERS = new Set(['export_statement', 'lexical_declaration', 'variable_declaration', 'ambient_declaration', 'type_declaration', 'expression_statement'])
/** The same, where it stands on lines of its own before. */
const APART = new Set(['decorated_definition', 'template_declaration'])
const BODIES = /^(.*_body|block|.*_block|compound_statement|.*declaration_list|accessor_list|enumerator_list|keyframe_block_list|struct_type|interface_type|field_declaration_list|enum_variant_list|body_statement|macro_rule|arrow_function_body)$/

function bodyOf(node: Node): Node | null {
  const own = node.childForFieldName('body') ?? (node.childForFieldName('value') ?? node.childForFieldName('right'))?.childForFieldName('body') ?? null
  return own ?? node.namedChildren.find((child) => child !== null && BODIES.test(child.type)) ?? null
}

/** Of C: its name stands behind what it names. */
function typedefOf(node: Node, text: string): string | null {
  const type = node.type === 'type_definition' ? node.childForFieldName('type') : null
  const body = type && bodyOf(type)
  return body && `${text.slice(node.startIndex, body.startIndex)}{…}${text.slice(body.endIndex, Math.min(node.endIndex, body.endIndex + MOST_SIGNATURE))}`
}

function lineEnd(text: string, from: number, most: number): number {
  const at = text.slice(from, most).indexOf('\n')
  return at < 0 ? most : from + at
}

/** What the grammars call the field that holds a definition's name; of C++ it lies within declarators. */
const NAMES = ['name', 'property', 'left', 'trait', 'type']

function nameOf(node: Node, text: string): string | null {
  const declarator = declaratorOf(node)
  let named = declarator
  for (let inner = declarator, steps = 0; inner && steps < 10; steps++) {
    named = inner
    inner = declaratorOf(inner)
  }
  for (const field of NAMES) named ??= node.childForFieldName(field)
  return named && text.slice(named.startIndex, Math.min(named.endIndex, named.startIndex + MOST_SIGNATURE))
}

/** The declarator of a reference stands in no field. */
function declaratorOf(node: Node): Node | null {
  return node.childForFieldName('declarator') ?? (node.type === 'reference_declarator' ? node.firstNamedChild : null)
}

/** What has no name, such as the struct of a typedef, tells nothing. */
function isNamed({ signature }: OutlineEntry): boolean {
  return !/^(struct|union|enum|class)\s*$/.test(signature)
}

function tidy(entry: OutlineEntry): OutlineEntry {
  return { ...entry, signature: tidySignature(entry.signature) }
}

/** What would hide, or turn the direction of writing, is shown by its code. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu

function tidySignature(signature: string): string {
  const line = signature.replace(/\s+/g, ' ').replace(/(\s|=>|[{:=;])+$/, '').trim().replace(HIDDEN, (char) => `\\x${char.codePointAt(0)!.toString(16)};`)
  return line.length > SIGNATURE_WIDTH ? `${line.slice(0, SIGNATURE_WIDTH).toWellFormed()}…` : line
}
