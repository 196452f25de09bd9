// The outlines of what needs no grammar: the headings of Markdown, and the definitions of Scheme.

import type { OutlineEntry } from './outline.ts'

/** ATX and setext headings, those in fenced code left out. A section ends before the next heading of its
 * own or a higher level. */
export function outlineMarkdown(text: string): OutlineEntry[] {
  const lines = text.split(/\r?\n/)
  const headings: { level: number; line: number; underline: number; title: string }[] = []
  let fence: string | null = null
  let start = 0
  if (lines[0] === '---') start = lines.indexOf('---', 1) + 1
  for (let i = start; i < lines.length; i++) {
    const line = lines[i]!
    const mark = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1]
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null
      continue
    }
    if (mark) {
      fence = mark
      continue
    }
    if (/^ {0,3}<!--/.test(line)) {
      while (i < lines.length && !lines[i]!.includes('-->')) i++
      continue
    }
    const atx = /^ {0,3}(#{1,6})(?![^ \t])(.*)$/.exec(line)
    if (atx) headings.push({ level: atx[1]!.length, line: i + 1, underline: i + 1, title: withoutClosing(atx[2]!.trim()) })
    else if (/^ {0,3}(=+|-+)[ \t]*$/.test(line) && headings.at(-1)?.underline !== i && isParagraph(lines[i - 1])) headings.push({ level: line.includes('=') ? 1 : 2, line: i, underline: i + 1, title: lines[i - 1]!.trim() })
  }
  const entries: OutlineEntry[] = []
  const open: { level: number; entry: OutlineEntry }[] = []
  const close = (level: number, last: number): void => {
    while (open.length > 0 && open.at(-1)!.level >= level) open.pop()!.entry.last = last
  }
  for (const { level, line, title } of headings) {
    close(level, line - 1)
    const entry = { kind: 'heading', name: title, signature: `${'#'.repeat(level)} ${title}`, first: line, last: line, depth: level - 1 }
    entries.push(entry)
    open.push({ level, entry })
  }
  close(1, lines.at(-1) === '' ? lines.length - 1 : lines.length)
  return entries
}

/** The # at a heading's end are no part of it where a space stands before them. */
function withoutClosing(title: string): string {
  let end = title.length
  while (title[end - 1] === '#') end--
  return end === 0 || ' \t'.includes(title[end - 1]!) ? title.slice(0, end).trimEnd() : title
}

function isParagraph(line: string | undefined): boolean {
  return line !== undefined && line.trim() !== '' && !/^ {0,3}([-*_])([ \t]*\1){2,}[ \t]*$/.test(line) && !/^ {0,3}([-*+>#]|\d+[.)])( |$)|^ {4}|^\t|^ {0,3}(`{3}|~{3})/.test(line)
}

/** What is skipped, and what opens or closes a list or stands in it. */
const TOKEN = /;[^\n]*|#\||#;|"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|\|[^|]*(?:\||$)|#\\(?:\w+|[\s\S])|[()[\]]|['`]|,@?|(?:#(?![|;])|[^\s()[\]"|;#'`,])(?:#(?!\|)|[^\s()[\]"|;#])*/g

/** A list that is open. */
interface Open {
  start: number
  head: string
  /** How many items it has. */
  count: number
  /** Whether what stands in it is a definition of the file. */
  isOuter: boolean
  depth: number
  entry: OutlineEntry | null
}

/** Forms whose heads begin with def, at the top and in libraries. */
export function outlineScheme(text: string): OutlineEntry[] {
  const entries: OutlineEntry[] = []
  const open: Open[] = []
  let line = 1
  let counted = 0
  const lineAt = (offset: number): number => {
    for (; counted < offset; counted++) if (text.charCodeAt(counted) === 10) line++
    return line
  }
  // The next datum is quoted, or commented out with #;
  let isQuoted = false
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const { 0: token, index } = match
    if (token === '#|') TOKEN.lastIndex = commentEnd(text, TOKEN.lastIndex)
    if (token === '#|' || (token.startsWith(';') && token !== '#;')) continue
    if (/^(#;|['`]|,@?)$/.test(token)) {
      isQuoted = true
      continue
    }
    const form = open.at(-1)
    if (token === '(' || token === '[') {
      const isOuter = !isQuoted && (form ? form.isOuter && isLibrary(form, open.at(-2)) : true)
      open.push({ start: index, head: '', count: 0, isOuter, depth: form ? form.depth + (form.entry ? 1 : 0) : 0, entry: null })
      isQuoted = false
      continue
    }
    isQuoted = false
    const isEnd = token === ')' || token === ']'
    const closed = isEnd ? open.pop() : undefined
    if (closed?.entry) closed.entry.last = lineAt(index)
    const around = open.at(-1)
    if (!around) continue
    around.count++
    if (around.count === 1 && !isEnd) around.head = token
    if (around.count !== 2 || !around.isOuter || !around.head.startsWith('def')) continue
    const signature = text.slice(around.start + 1, index + token.length)
    const first = lineAt(around.start)
    const name = closed && around.head !== 'define-library' ? /[^\s()[\]]+/.exec(text.slice(closed.start, index))?.[0] : text.slice(closed?.start ?? index, index + token.length)
    around.entry = { kind: around.head, name: name ?? '', signature, first, last: first, depth: around.depth }
    entries.push(around.entry)
  }
  return entries
}

/** Block comments nest. */
function commentEnd(text: string, from: number): number {
  const mark = /#\||\|#/g
  mark.lastIndex = from
  for (let depth = 1; depth > 0; ) {
    const found = mark.exec(text)
    if (!found) return text.length
    depth += found[0] === '#|' ? 1 : -1
  }
  return mark.lastIndex
}

/** Definitions may stand in it: a library, a begin, a clause of cond-expand. */
function isLibrary({ head }: Open, around: Open | undefined): boolean {
  return /^(define-library|module|library|begin|cond-expand|eval-when)$/.test(head) || around?.head === 'cond-expand'
}
