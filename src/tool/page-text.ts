// HTML to text that a model can read: headings, lists, tables, code and links kept, what a reader would
// not see left out. html-to-text does it; this is what it is told, and the bound of what it is given.

import type { DomNode, FormatCallback, HtmlToTextOptions } from 'html-to-text'

export interface PageText {
  title: string
  text: string
}

/** Deeper nesting would take the parser quadratic time. */
const MOST_DEPTH = 1000
const HIDDEN = ['head', 'title', 'script', 'style', 'noscript', 'template', 'svg', 'iframe', 'nav', '[hidden]', '[aria-hidden="true"]', '[style*="display:none"]', '[style*="display: none"]', '[style*="visibility:hidden"]']

/** `base`: what relative links are relative to. */
export async function pageText(html: string, base: string): Promise<PageText> {
  const title = /<title[^>]{0,200}>([^<]{0,1000})/i.exec(html.slice(0, 200_000))?.[1] ?? ''
  if (nestsTooDeep(html)) return { title: title.trim(), text: withoutTags(html) }
  const { convert } = await import('html-to-text')
  return { title: convert(title, { wordwrap: false }).trim(), text: convert(html, options(base)).replace(/\n{3,}/g, '\n\n').trim() }
}

function options(base: string): HtmlToTextOptions {
  return {
    wordwrap: false,
    baseElements: { selectors: ['main'], returnDomByDefault: true },
    limits: { maxDepth: MOST_DEPTH },
    formatters: { heading, link: linkTo(base), fence },
    selectors: [
      ...HIDDEN.map((selector) => ({ selector, format: 'skip' })),
      ...[1, 2, 3, 4, 5, 6].map((level) => ({ selector: `h${level}`, format: 'heading' })),
      { selector: 'a', format: 'link' },
      { selector: 'img', format: 'skip' },
      { selector: 'pre', format: 'fence' },
      { selector: 'ul', options: { itemPrefix: '- ' } },
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false, maxColumnWidth: 80 } },
    ],
  }
}

const heading: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 })
  builder.addLiteral(`${'#'.repeat(Number(element.name?.[1] ?? 1))} `)
  walk(element.children ?? [], builder)
  builder.closeBlock({ trailingLineBreaks: 2 })
}

const fence: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ isPre: true, leadingLineBreaks: 2 })
  builder.addLiteral('```\n')
  walk(element.children ?? [], builder)
  builder.addLiteral('\n```')
  builder.closeBlock({ trailingLineBreaks: 2 })
}

function linkTo(base: string): FormatCallback {
  return (element, walk, builder) => {
    const address = absolute((element as DomNode & { attribs?: Record<string, string> }).attribs?.['href'], base)
    if (address === null) return walk(element.children ?? [], builder)
    builder.addLiteral('[')
    walk(element.children ?? [], builder)
    builder.addLiteral(`](${address})`)
  }
}

/** Null for what is no address of a page, such as javascript: or a place in this one. */
function absolute(href: string | undefined, base: string): string | null {
  if (!href || href.startsWith('#')) return null
  try {
    const url = new URL(href, base)
    return /^https?:$/.test(url.protocol) ? url.href : null
  } catch {
    return null
  }
}

const NEVER_NESTS = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|td|th|tr|dt|dd|option|thead|tbody|tfoot)$/i

function nestsTooDeep(html: string): boolean {
  let depth = 0
  for (const [, slash, name] of html.matchAll(/<(\/?)([a-z][a-z0-9]{0,20})/gi)) {
    if (NEVER_NESTS.test(name!)) continue
    depth = Math.max(0, depth + (slash ? -1 : 1))
    if (depth > MOST_DEPTH) return true
  }
  return false
}

function withoutTags(html: string): string {
  return html.replace(/<[^<>]*>/g, ' ').replace(/[ \t]+/g, ' ').replace(/ ?\n[\n ]*/g, '\n').trim()
}
