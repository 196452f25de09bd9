// A shell text to the commands it would run, as far as that can be told without running a shell. Only
// what is certain is told: an expansion, a substitution or a compound command makes the whole text null.

export interface Command {
  /** Program and arguments, quotes taken away. */
  words: string[]
  /** Files that redirections name. */
  redirects: { operator: string; target: string }[]
  /** Holds something a shell would expand (a glob, a tilde) or an assignment: no grant covers it. */
  expands: boolean
}

const KEYWORDS = new Set(['if', 'then', 'else', 'elif', 'fi', 'for', 'while', 'until', 'do', 'done', 'case', 'esac', 'select', 'function', 'time', 'coproc', '{', '}', '!', '[[', ']]'])
const BETWEEN = ['&&', '||', '|&', ';', '|', '&', '\n']
const REDIRECT = /^(\d*)(>>|>\||>&|<&|<>|>|<)|^&>>?/

/** Null: uninspectable. An empty text is no command. ORDER of commands is that of the text. */
export function parseCommand(text: string): Command[] | null {
  const commands: Command[] = []
  let command = makeCommand()
  let at = 0
  const end = (): void => {
    if (command.words.length > 0 || command.redirects.length > 0) commands.push(command)
    command = makeCommand()
  }
  while (at < text.length) {
    const rest = text.slice(at)
    const blank = /^(?:[ \t]|\\\n)+/.exec(rest) ?? /^#[^\n]*/.exec(rest)
    if (blank) {
      at += blank[0].length
      continue
    }
    const redirect = REDIRECT.exec(rest)
    if (redirect) {
      const operator = redirect[0]
      const gap = /^[ \t]*/.exec(rest.slice(operator.length))![0].length
      const target = readWord(text, at + operator.length + gap)
      if (!target || target.expands || /^\d*<</.test(rest)) return null
      // bash takes quotes after these away twice.
      if (operator.includes('&') && (target.quoted || !/^[\w./@%+=:,-]+$/.test(target.value))) return null
      command.redirects.push({ operator, target: target.value })
      at = target.end
      continue
    }
    const between = BETWEEN.find((operator) => rest.startsWith(operator))
    if (between !== undefined) {
      end()
      at += between.length
      continue
    }
    const word = readWord(text, at)
    if (!word) return null
    if (command.words.length === 0 && !word.quoted && (KEYWORDS.has(word.value) || word.value === '')) return null
    if (command.words.length === 0 && /^[A-Za-z_]\w*\+?=/.test(word.value)) command.expands = true
    command.expands ||= word.expands
    command.words.push(word.value)
    at = word.end
  }
  end()
  return commands
}

function makeCommand(): Command {
  return { words: [], redirects: [], expands: false }
}

interface Word {
  value: string
  end: number
  expands: boolean
  quoted: boolean
}

/** Null where there is none, or one whose value a shell alone knows. */
function readWord(text: string, start: number): Word | null {
  const word: Word = { value: '', end: start, expands: false, quoted: false }
  while (word.end < text.length) {
    const char = text[word.end]!
    if (/[ \t\n;|&<>]/.test(char)) break
    if (/[$`()\0\r]/.test(char)) return null
    if (char === "'" || char === '"') {
      if (!readQuoted(text, word, char)) return null
      continue
    }
    if (char === '\\') {
      const next = text[word.end + 1]
      if (next === undefined) return null
      // An end of line taken away leaves no trace: what is before it may be a keyword all the same.
      if (next !== '\n') {
        word.value += next
        word.quoted = true
      }
      word.end += 2
      continue
    }
    if (/[*?[\]{}~]/.test(char)) word.expands ||= !(char === '{' && text[word.end + 1] === '}') && !(char === '}' && text[word.end - 1] === '{')
    word.value += char
    word.end++
  }
  return word.end === start ? null : word
}

function readQuoted(text: string, word: Word, quote: string): boolean {
  const close = quote === "'" ? text.indexOf("'", word.end + 1) : closingQuote(text, word.end + 1)
  if (close < 0) return false
  const inside = text.slice(word.end + 1, close)
  if (quote === '"' && /(?<!\\)(\\\\)*[$`]/.test(inside)) return false
  word.value += quote === "'" ? inside : inside.replace(/\\([$`"\\\n])/g, (_, char: string) => (char === '\n' ? '' : char))
  word.end = close + 1
  word.quoted = true
  return true
}

function closingQuote(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '"') return i
  }
  return -1
}
