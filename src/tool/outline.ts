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

const MOST_BYTES = 5_000_000
const MOST_MS = 5000
const MOST_ENTRIES = 400
const SIGNATURE_WIDTH = 160
/** Of its text before spaces are drawn together. */
const MOST_SIGNATURE = 2000
/** Nobody nests classes so deep by hand. */
const MOST_DEPTH = 20

export interface OutlineEntry {
  /** `function`, `class`, `heading`, …; of Scheme the form's own name. */
  kind: string
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
    if (bytes.length > MOST_BYTES) throw new ToolError('other', `${given} is too large for an outline: ${bytes.length} bytes, the most is ${MOST_BYTES}`, { help: 'use index-grep' })
    const { entries, broken } = await outlineOf(given, readable(bytes, given).replace(/^\ufeff/, ''))
    const shown = entries.slice(0, MOST_ENTRIES).map(entryLine)
    if (entries.length > MOST_ENTRIES) shown.push(`… ${entries.length - MOST_ENTRIES} more, from line ${entries[MOST_ENTRIES]!.first} on; read there, or use index-grep`)
    if (broken !== null) shown.push(`(from line ${broken} on parts of it cannot be parsed)`)
    if (entries.length === 0) shown.unshift(`${given} defines nothing that an outline shows`)
    return { text: shown.join('\n'), value: entries.map(toJson) }
  },
}

function entryLine({ first, last, depth, signature }: OutlineEntry): string {
  return `${(first === last ? String(first) : `${first}-${last}`).padStart(9)}  ${'  '.repeat(depth)}${signature}`
}

function toJson({ kind, signature, first, last, depth }: OutlineEntry): Json {
  return new Map<string, Json>([['kind', kind], ['signature', signature], ['first', BigInt(first)], ['last', BigInt(last)], ['depth', BigInt(depth)]])
}

/** `broken`: the first line that could not be parsed. */
async function outlineOf(path: string, text: string): Promise<{ entries: OutlineEntry[]; broken: number | null }> {
  const extension = extensionOf(path, text)
  if (/^(md|markdown|mdx)$/.test(extension)) return { entries: outlineMarkdown(text).map(tidy), broken: null }
  if (/^(scm|ss|sld|sls|sps)$/.test(extension)) return { entries: outlineScheme(text).map(tidy), broken: null }
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

async function outlineBy(grammar: Grammar, path: string, text: string): Promise<{ entries: OutlineEntry[]; broken: number | null }> {
  const parser = await parserFor(grammar.name)
  const end = performance.now() + MOST_MS
  let tree: Tree | null
  try {
    tree = parser.parse(text, null, { progressCallback: () => performance.now() > end })
  } catch {
    tree = null
  }
  if (!tree) {
    parser.reset()
    throw new ToolError('other', `${path} could not be parsed within ${MOST_MS / 1000} seconds`, { help: 'use index-grep' })
  }
  try {
    return walk(tree, grammar.nodes, text)
  } finally {
    tree.delete()
  }
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
function walk(tree: Tree, rules: Grammar['nodes'], text: string): { entries: OutlineEntry[]; broken: number | null } {
  const end = performance.now() + MOST_MS
  const entries: OutlineEntry[] = []
  const cursor = tree.walk()
  const above: Above[] = []
  let broken: number | null = null
  let depth = 0
  let steps = 0
  for (let isDone = false; !isDone; ) {
    const { nodeType: type } = cursor
    if (type === 'ERROR' || cursor.nodeIsMissing) broken ??= cursor.startPosition.row + 1
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
      broken ??= cursor.startPosition.row + 1
      isDone = true
    }
  }
  cursor.delete()
  return { entries: entries.filter(isNamed).map(tidy), broken }
}

/** The node above the one that the cursor has just gone down to. */
function cursorParent(cursor: TreeCursor): Node {
  cursor.gotoParent()
  const node = cursor.currentNode
  cursor.gotoFirstChild()
  return node
}

function isMeant({ having, within }: NodeRule, cursor: TreeCursor, parent: Above | undefined): boolean {
  if (within !== undefined && parent?.type !== within) return false
  if (!having) return true
  // A declarator may stand in others: those of pointers and references.
  for (let node: Node | null = cursor.currentNode, steps = 0; node && steps < 5; steps++) {
    if (node.namedChildren.some((child) => child && having.includes(child.type))) return true
    node = node.childForFieldName('declarator')
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
  const end = body ? body.startIndex : Math.min(node.endIndex, lineEnd(text, node.startIndex))
  const start = APART.has(wrapper.type) ? node.startIndex : wrapper.startIndex
  return { kind, signature: text.slice(start, Math.min(end, start + MOST_SIGNATURE)), first: wrapper.startPosition.row + 1, last: wrapper.endPosition.row + 1, depth }
}

/** What stands around a definition and belongs to it, where it is the only one in it. */
const WRAPPERS = new Set(['export_statement', 'lexical_declaration', 'variable_declaration', 'ambient_declaration', 'type_declaration', 'expression_statement'])
/** The same, where it stands on lines of its own before. */
const APART = new Set(['decorated_definition', 'template_declaration'])
const BODIES = /^(.*_body|block|.*_block|compound_statement|.*declaration_list|accessor_list|enumerator_list|keyframe_block_list|struct_type|interface_type|field_declaration_list|enum_variant_list|body_statement|macro_rule|arrow_function_body)$/

function bodyOf(node: Node): Node | null {
  const own = node.childForFieldName('body') ?? node.childForFieldName('value')?.childForFieldName('body') ?? null
  return own ?? node.namedChildren.find((child) => child !== null && BODIES.test(child.type)) ?? null
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at < 0 ? text.length : at
}

/** What has no name, such as the struct of a typedef, tells nothing. */
function isNamed({ signature }: OutlineEntry): boolean {
  return !/^(struct|union|enum|class)\s*$/.test(signature)
}

function tidy(entry: OutlineEntry): OutlineEntry {
  const line = entry.signature.replace(/\s+/g, ' ').replace(/\p{Cc}/gu, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`).replace(/(\s|=>|[{:=;])+$/, '').trim()
  return { ...entry, signature: line.length > SIGNATURE_WIDTH ? `${line.slice(0, SIGNATURE_WIDTH).toWellFormed()}…` : line }
}
