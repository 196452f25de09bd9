// The outlines of what needs no grammar: the headings of Markdown, and the definitions of Scheme.

import type { OutlineEntry } from './outline.ts'

/** ATX and setext headings, those in fenced code left out. A section ends before the next heading of its
 * own or a higher level. */
export function outlineMarkdown(text: string): OutlineEntry[] {
  const lines = text.split(/\r?\n/)
  const headings: { level: number; line: number; title: string }[] = []
  let fence: string | null = null
  let start = 0
  if (lines[0] === '---') start = lines.indexOf('---', 1) + 1
  for (let i = start; i < lines.length; i++) {
    const line = lines[i]!
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null
      continue
    }
    if (mark) {
      fence = mark
      continue
    }
    const atx = /^ {0,3}(#{1,6})(?![^ \t])(.*)$/.exec(line)
    if (atx) headings.push({ level: atx[1]!.length, line: i + 1, title: withoutClosing(atx[2]!.trim()) })
    else if (/^ {0,3}(=+|-+)[ \t]*$/.test(line) && isParagraph(lines[i - 1])) headings.push({ level: line.includes('=') ? 1 : 2, line: i, title: lines[i - 1]!.trim() })
  }
  const entries: OutlineEntry[] = []
  const open: { level: number; entry: OutlineEntry }[] = []
  const close = (level: number, last: number): void => {
    while (open.length > 0 && open.at(-1)!.level >= level) open.pop()!.entry.last = last
  }
  for (const { level, line, title } of headings) {
    close(level, line - 1)
    const entry = { kind: 'heading', signature: `${'#'.repeat(level)} ${title}`, first: line, last: line, depth: level - 1 }
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
  return line !== undefined && line.trim() !== '' && !/^ {0,3}([-*+>#]|\d+[.)])( |$)|^ {4}|^\t|^ {0,3}(`{3}|~{3})/.test(line)
}

/** What is skipped, and what opens or closes a list or stands in it. */
const TOKEN = /;[^\n]*|#\|[\s\S]*?(?:\|#|$)|"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|\|[^|]*(?:\||$)|#\\(?:\w+|[\s\S])|[()[\]]|[^\s()[\]"|;]+/g

/** Forms that begin with define, at the top and in libraries. */
export function outlineScheme(text: string): OutlineEntry[] {
  const entries: OutlineEntry[] = []
  const open: { start: number; head: string; count: number; entry: OutlineEntry | null }[] = []
  let line = 1
  let counted = 0
  const lineAt = (offset: number): number => {
    for (; counted < offset; counted++) if (text.charCodeAt(counted) === 10) line++
    return line
  }
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token.startsWith(';') || token.startsWith('#|')) continue
    if (token === '(' || token === '[') {
      open.push({ start: index, head: '', count: 0, entry: null })
      continue
    }
    const isEnd = token === ')' || token === ']'
    const closed = isEnd ? open.pop() : undefined
    if (closed?.entry) closed.entry.last = lineAt(index)
    const form = open.at(-1)
    if (!form) continue
    form.count++
    if (form.count === 1 && !isEnd) form.head = token
    const isNamed = form.count === 2 && form.head.startsWith('define') && open.slice(0, -1).every(({ head }) => LIBRARY.test(head))
    if (!isNamed) continue
    const signature = text.slice(form.start + 1, index + token.length).replace(/\s+/g, ' ')
    const first = lineAt(form.start)
    form.entry = { kind: form.head, signature, first, last: first, depth: open.slice(0, -1).filter(({ head }) => head.startsWith('define')).length }
    entries.push(form.entry)
  }
  return entries
}

const LIBRARY = /^(define-library|module|library|begin|cond-expand|else)$/
