// Text that comes in pieces, of which the head and the tail are kept, cut between lines where that costs
// little, and what was left out is said.

export class BoundedText {
  private head = ''
  private tail = ''
  private dropped = 0
  private readonly headRoom: number
  private readonly tailRoom: number

  constructor(headRoom: number, tailRoom: number) {
    this.headRoom = headRoom
    this.tailRoom = tailRoom
  }

  add(text: string): void {
    const room = this.headRoom - this.head.length
    if (room > 0) {
      this.head += text.slice(0, room)
      text = text.slice(room)
    }
    this.tail += text
    if (this.tail.length <= 2 * this.tailRoom) return
    this.dropped += this.tail.length - this.tailRoom
    this.tail = this.tail.slice(-this.tailRoom)
  }

  text(): string {
    const over = Math.max(0, this.tail.length - this.tailRoom)
    if (this.dropped + over === 0) return this.head + this.tail
    const head = this.head.slice(0, headEnd(this.head))
    const rest = this.tail.slice(over)
    const tail = rest.slice(tailStart(rest))
    const dropped = this.dropped + over + (this.head.length - head.length) + (rest.length - tail.length)
    return `${head}${head.endsWith('\n') ? '' : '\n'}… ${dropped} characters left out …\n${tail}`
  }
}

/** The head of a text, cut between two lines, and how much is left and `how` to see it. */
export function shortened(text: string, most: number, how: string): string {
  if (text.length <= most) return text.trimEnd()
  const end = text.lastIndexOf('\n', most) + 1 || most
  return `${text.slice(0, end).toWellFormed().trimEnd()}\n… ${text.length - end} more characters; ${how}`
}

/** How much of a line may be given up to cut between two. */
const LINE = 1000

function headEnd(head: string): number {
  const line = head.lastIndexOf('\n') + 1
  if (line > head.length - LINE) return line
  return isHighSurrogate(head.charCodeAt(head.length - 1)) ? head.length - 1 : head.length
}

function tailStart(tail: string): number {
  const line = tail.indexOf('\n') + 1
  if (line > 0 && line < Math.min(LINE, tail.length)) return line
  return isLowSurrogate(tail.charCodeAt(0)) ? 1 : 0
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code < 0xe000
