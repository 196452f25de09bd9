// The positional form of a call to the line that a person reads: `fs-edit ("a" "" "" #f ((("old" . "…")
// ("new" . "…")) …))`. The text of an edit is in the diff below it, so its strings are cut to a dot.

type Node = { open: string; items: Node[] } | string

const LONG = 60

/** `form` is what an event holds: `(fs-edit "a" …)`. What is no form stays as it is, in one line. */
export function shortForm(form: string): string {
  const tokens = form.match(/"(?:[^"\\]|\\[\s\S])*"|[()]|[^\s()"]+/g) ?? []
  const tree = parse(tokens)
  if (typeof tree === 'string' || tree === null) return cut(form.replace(/\s+/g, ' '))
  const [name, ...args] = tree.items
  if (typeof name !== 'string') return cut(form)
  return `${name} (${args.map((node) => print(node, false)).join(' ')})`
}

/** One datum of a list of tokens, or null where they are none. */
function parse(tokens: string[]): Node | null {
  const stack: Node[][] = [[]]
  for (const token of tokens) {
    if (token === '(') stack.push([])
    else if (token === ')') {
      const items = stack.pop()!
      if (stack.length === 0) return null
      stack.at(-1)!.push({ open: '(', items })
    } else stack.at(-1)!.push(token)
  }
  return stack.length === 1 && stack[0]!.length === 1 ? stack[0]![0]! : null
}

/** `isValue`: it stands after a dot, as the value of a field. */
function print(node: Node, isValue: boolean): string {
  if (typeof node === 'string') return isValue && node.startsWith('"') ? '"…"' : string(node)
  const { items } = node
  const isFields = items.every((item) => typeof item !== 'string' && item.items[1] === '.')
  const nested = items.filter((item) => typeof item !== 'string')
  if (!isFields && nested.length === items.length && items.length > 1) return `(${print(items[0]!, false)} …)`
  return `(${items.map((item, i) => print(item, items[i - 1] === '.')).join(' ')})`
}

function string(token: string): string {
  if (!token.startsWith('"')) return token
  const text = token.slice(1, -1).replace(/\n/g, '\\n')
  return `"${cut(text)}"`
}

function cut(text: string): string {
  const chars = [...text]
  return chars.length <= LONG ? text : `${chars.slice(0, LONG - 1).join('')}…`
}
