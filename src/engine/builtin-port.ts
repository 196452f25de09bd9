// R7RS 6.13: ports on strings and bytevectors, reading and writing. The engine knows no files; what its
// host gives it as current ports is the world outside.

import { wrongType, type Builtin } from './builtin.ts'
import { checkByte, checkBytes, checkChar, checkCount, checkIndex, checkList, checkRange, checkString, row } from './check.ts'
import { SchemeError } from './error.ts'
import { print, show, type Mode } from './printer.ts'
import { DatumReader } from './reader.ts'
import { DEFAULT, EOF, MutableString, UNSPECIFIED, makeChar, type Value } from './value.ts'

abstract class Port {
  readonly typeName = 'port'
  isOpen = true
  /** Hands on what was written and is still held. */
  flush = (): void => {}
}

/** Characters out: kept until asked for, or handed on as they come. */
export class OutputPort extends Port {
  private held = ''
  private readonly handOn: ((text: string) => void) | null
  /** Whether the last character was a line's end. */
  atLineStart = true
  constructor(handOn: ((text: string) => void) | null = null) {
    super()
    this.handOn = handOn
  }
  write(text: string): void {
    if (text === '') return
    this.atLineStart = text.endsWith('\n')
    if (this.handOn) this.handOn(text)
    else this.held += text
  }
  text(): string {
    return this.held
  }
}

export class BytesOutputPort extends Port {
  bytes: number[] = []
  constructor(handOn: ((bytes: Uint8Array) => void) | null = null) {
    super()
    if (handOn)
      this.flush = () => {
        if (this.bytes.length > 0) handOn(Uint8Array.from(this.bytes))
        this.bytes = []
      }
  }
}

export class InputPort extends Port {
  private source: string | (() => string)
  private at = 0
  private data: DatumReader | null = null
  /** `source`: the text, or what gives it when it is needed. */
  constructor(source: string | (() => string)) {
    super()
    this.source = source
  }
  private get text(): string {
    return typeof this.source === 'string' ? this.source : (this.source = this.source())
  }
  peek(): string | null {
    return this.at < this.text.length ? String.fromCodePoint(this.text.codePointAt(this.at)!) : null
  }
  next(): string | null {
    const char = this.peek()
    if (char !== null) this.at += char.length
    return char
  }
  line(): string | null {
    if (this.at >= this.text.length) return null
    const end = this.text.indexOf('\n', this.at)
    const line = this.text.slice(this.at, end < 0 ? undefined : end)
    this.at = end < 0 ? this.text.length : end + 1
    return line
  }
  datum(): Value {
    const found = (this.data ??= new DatumReader(this.text)).read(this.at)
    this.at = found ? found.end : this.text.length
    return found ? found.datum : EOF
  }
}

export class BytesInputPort extends Port {
  readonly bytes: Uint8Array
  at = 0
  constructor(bytes: Uint8Array) {
    super()
    this.bytes = bytes
  }
}

/** The port behind the current output port: text goes to `handOn`. */
export function outputPort(handOn: (text: string) => void): Value {
  return new OutputPort(handOn)
}

/** What the current ports are, in the running fiber. */
export interface CurrentPorts {
  currentOutput(): Value
  currentInput(): Value
  currentError(): Value
}

type PortClass<T extends Port> = abstract new (...args: never[]) => T

function open<T extends Port>(who: string, value: Value, kind: PortClass<T>, words: string): T {
  if (!(value instanceof kind)) throw wrongType(who, words, value)
  if (!value.isOpen) throw new SchemeError(`${who}: the port is closed`)
  return value
}

export function portBuiltins(current: CurrentPorts): Builtin[] {
  const output = (who: string, port: Value): OutputPort => open(who, port === DEFAULT ? current.currentOutput() : port, OutputPort, 'an output port')
  const input = (who: string, port: Value): InputPort => open(who, port === DEFAULT ? current.currentInput() : port, InputPort, 'an input port')
  const bytesIn = (who: string, port: Value): BytesInputPort => open(who, port, BytesInputPort, 'a binary input port')
  const bytesOut = (who: string, port: Value): BytesOutputPort => open(who, port, BytesOutputPort, 'a binary output port')

  const printing = (name: string, mode: Mode, doc: string): Builtin =>
    row(name, 'obj [port]', doc, (value: Value, port: Value) => {
      const text = mode === 'display' && (typeof value === 'string' || value instanceof MutableString) ? String(value) : print(value, { mode })
      output(name, port).write(text)
      return UNSPECIFIED
    }, true)
  const question = (name: string, doc: string, holds: (value: Value) => boolean): Builtin => row(name, 'obj', doc, (value: Value) => holds(value))
  const closing = (name: string): Builtin =>
    row(name, 'port', 'Closes a port.', (port: Value) => {
      if (!(port instanceof Port)) throw wrongType(name, 'a port', port)
      if (port.isOpen) port.flush()
      port.isOpen = false
      return UNSPECIFIED
    })

  return [
    printing('write', 'write', 'Writes obj so that read gives it back; circular parts are labelled.'),
    printing('display', 'display', 'Writes obj for people: strings and characters as they are.'),
    printing('write-simple', 'write-simple', 'As write, without labels.'),
    printing('write-shared', 'write-shared', 'As write, with labels for all shared parts.'),
    row('newline', '[port]', 'Ends the line.', (port: Value) => {
      output('newline', port).write('\n')
      return UNSPECIFIED
    }),
    row('fresh-line', '[port]', 'Ends the line unless one begins here.', (port: Value) => {
      const to = output('fresh-line', port)
      if (!to.atLineStart) to.write('\n')
      return UNSPECIFIED
    }),
    row('write-char', 'char [port]', 'Writes a character.', (char: Value, port: Value) => {
      output('write-char', port).write(String.fromCodePoint(checkChar('write-char', char)))
      return UNSPECIFIED
    }),
    row('write-string', 'string [port start end]', 'Writes the characters of a string.', (string: Value, port: Value, start: Value, end: Value) => {
      const chars = Array.from(checkString('write-string', string))
      const [from, to] = checkRange('write-string', start, end, 'a string', chars.length)
      output('write-string', port).write(chars.slice(from, to).join(''))
      return UNSPECIFIED
    }),
    row('write-u8', 'byte port', 'Writes a byte.', (byte: Value, port: Value) => {
      bytesOut('write-u8', port).bytes.push(checkByte('write-u8', byte))
      return UNSPECIFIED
    }),
    row('write-bytevector', 'bytevector port [start end]', 'Writes the bytes of a bytevector.', (bytes: Value, port: Value, start: Value, end: Value) => {
      const source = checkBytes('write-bytevector', bytes)
      const [from, to] = checkRange('write-bytevector', start, end, 'a bytevector', source.length)
      const target = bytesOut('write-bytevector', port)
      for (const byte of source.subarray(from, to)) target.bytes.push(byte)
      return UNSPECIFIED
    }),
    row('flush-output-port', '[port]', 'Makes sure that what was written is out.', (port: Value) => {
      const to = port === DEFAULT ? current.currentOutput() : port
      if (!(to instanceof OutputPort || to instanceof BytesOutputPort)) throw wrongType('flush-output-port', 'an output port', to)
      to.flush()
      return UNSPECIFIED
    }),
    row('read', '[port]', 'Reads a datum.', (port: Value) => input('read', port).datum()),
    row('read-char', '[port]', 'Reads a character.', (port: Value) => charOrEof(input('read-char', port).next())),
    row('peek-char', '[port]', 'The next character, which stays to be read.', (port: Value) => charOrEof(input('peek-char', port).peek())),
    row('char-ready?', '[port]', 'Tells whether a character can be read at once.', (port: Value) => (input('char-ready?', port), true)),
    row('read-line', '[port]', 'Reads up to the end of the line.', (port: Value) => {
      const line = input('read-line', port).line()
      return line === null ? EOF : new MutableString(line)
    }),
    row('read-string', 'k [port]', 'Reads up to k characters.', (k: Value, port: Value) => {
      // Older code has the arguments the other way round.
      if (k instanceof Port) [k, port] = [port, k]
      const from = input('read-string', port)
      let text = ''
      const count = checkCount('read-string', k)
      for (let i = 0; i < count && from.peek() !== null; i++) text += from.next()
      return text === '' && count > 0 ? EOF : new MutableString(text)
    }),
    row('read-u8', 'port', 'Reads a byte.', (port: Value) => {
      const from = bytesIn('read-u8', port)
      return from.bytes[from.at] === undefined ? EOF : from.bytes[from.at++]!
    }),
    row('peek-u8', 'port', 'The next byte, which stays to be read.', (port: Value) => {
      const from = bytesIn('peek-u8', port)
      return from.bytes[from.at] ?? EOF
    }),
    row('u8-ready?', 'port', 'Tells whether a byte can be read at once.', (port: Value) => (bytesIn('u8-ready?', port), true)),
    row('read-bytevector', 'k port', 'Reads up to k bytes.', (k: Value, port: Value) => {
      const from = bytesIn('read-bytevector', port)
      const bytes = from.bytes.slice(from.at, from.at + checkCount('read-bytevector', k))
      from.at += bytes.length
      return bytes.length === 0 && k !== 0 ? EOF : bytes
    }),
    row('read-bytevector!', 'bytevector port [start end]', 'Reads bytes into a bytevector.', (bytes: Value, port: Value, start: Value, end: Value) => {
      const target = checkBytes('read-bytevector!', bytes)
      const [from, to] = checkRange('read-bytevector!', start, end, 'a bytevector', target.length)
      const source = bytesIn('read-bytevector!', port)
      const read = source.bytes.subarray(source.at, source.at + to - from)
      target.set(read, from)
      source.at += read.length
      return read.length === 0 && to > from ? EOF : read.length
    }),
    row('open-input-string', 'string', 'A port that reads the characters of a string.', (text: Value) => new InputPort(checkString('open-input-string', text))),
    row('open-output-string', '', 'A port that keeps what is written.', () => new OutputPort()),
    row('get-output-string', 'port', 'What was written to a port of open-output-string.', (port: Value) => {
      if (!(port instanceof OutputPort)) throw wrongType('get-output-string', 'a string output port', port)
      return new MutableString(port.text())
    }),
    row('open-input-bytevector', 'bytevector', 'A port that reads the bytes of a bytevector.', (bytes: Value) => new BytesInputPort(checkBytes('open-input-bytevector', bytes))),
    row('open-output-bytevector', '', 'A port that keeps the bytes written.', () => new BytesOutputPort()),
    row('get-output-bytevector', 'port', 'What was written to a port of open-output-bytevector.', (port: Value) => {
      if (!(port instanceof BytesOutputPort)) throw wrongType('get-output-bytevector', 'a bytevector output port', port)
      return Uint8Array.from(port.bytes)
    }),
    question('port?', 'Tells whether obj is a port.', (value) => value instanceof Port),
    question('input-port?', 'Tells whether obj is an input port.', (value) => value instanceof InputPort || value instanceof BytesInputPort),
    question('output-port?', 'Tells whether obj is an output port.', (value) => value instanceof OutputPort || value instanceof BytesOutputPort),
    question('textual-port?', 'Tells whether obj is a port of characters.', (value) => value instanceof InputPort || value instanceof OutputPort),
    question('binary-port?', 'Tells whether obj is a port of bytes.', (value) => value instanceof BytesInputPort || value instanceof BytesOutputPort),
    row('input-port-open?', 'port', 'Tells whether an input port is open.', (port: Value) => isOpen('input-port-open?', port, [InputPort, BytesInputPort])),
    row('output-port-open?', 'port', 'Tells whether an output port is open.', (port: Value) => isOpen('output-port-open?', port, [OutputPort, BytesOutputPort])),
    closing('close-port'),
    closing('close-input-port'),
    closing('close-output-port'),
    row('%format', 'template items', 'What format makes of a template and a list.', (template: Value, items: Value) => new MutableString(format(checkString('format', template), checkList('format', items))), true),
  ]
}

function charOrEof(char: string | null): Value {
  return char === null ? EOF : makeChar(char.codePointAt(0)!)
}

function isOpen(who: string, port: Value, kinds: (new (...args: never[]) => Port)[]): boolean {
  if (!kinds.some((kind) => port instanceof kind)) throw wrongType(who, 'a port of its kind', port)
  return (port as Port).isOpen
}

/** ~a display, ~s write, ~d a number, ~% a line's end, ~~ a tilde. */
function format(template: string, items: Value[]): string {
  let next = 0
  const text = template.replace(/~([^]?)/g, (_, letter: string) => {
    const kind = letter.toLowerCase()
    if (kind === '%') return '\n'
    if (kind === '~') return '~'
    if (!['a', 's', 'd'].includes(kind)) throw new SchemeError(`format: unknown directive ~${letter}`, { help: 'there are ~a ~s ~d ~% and ~~' })
    if (next >= items.length) throw new SchemeError(`format: more directives than the ${items.length} arguments`)
    return print(items[checkIndex('format', next++, 'a list', items.length)]!, { mode: kind === 's' ? 'write' : 'display' })
  })
  if (next < items.length) throw new SchemeError(`format: ${items.length - next} arguments too many, the first is ${show(items[next]!)}`)
  return text
}
