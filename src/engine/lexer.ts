// Text to tokens, by chevrotain's lexer. reader.ts makes data of them; no other file knows chevrotain.

import { Lexer, createToken, type CustomPatternMatcherFunc, type TokenType } from 'chevrotain'

/** `#| … |#`, nested. One that does not end is left to `unclosedComment`. */
const blockComment: CustomPatternMatcherFunc = (text, start) => {
  if (text[start] !== '#' || text[start + 1] !== '|') return null
  const mark = /#\||\|#/g
  mark.lastIndex = start
  let depth = 0
  for (let match = mark.exec(text); match; match = mark.exec(text)) {
    depth += match[0] === '#|' ? 1 : -1
    if (depth === 0) return [text.slice(start, mark.lastIndex)] as unknown as RegExpExecArray
  }
  return null
}

function define(name: string, pattern: RegExp | string, hint?: (string | number)[], group?: string): TokenType {
  return createToken({
    name,
    pattern,
    line_breaks: true,
    ...(hint ? { start_chars_hint: hint } : {}),
    ...(group ? { group } : {}),
  })
}

const SPACES = '\t\n\v\f\r \u00a0'
const SPECIAL = `${SPACES}()"'\`,;`
/** The character codes from 256 on, of which chevrotain wants one in each 255. */
const HIGH = Array.from({ length: 256 }, (_, i) => 256 + 255 * i)
// With the codes that a token may begin with chevrotain need not try every pattern at each place.
const SPACE_CODES = [...Array.from(SPACES, (char) => char.charCodeAt(0)), ...HIGH]
const ATOM_CODES = [...Array.from({ length: 256 }, (_, code) => code).filter((code) => !SPECIAL.includes(String.fromCharCode(code))), ...HIGH]

const block = createToken({ name: 'block comment', pattern: { exec: blockComment }, start_chars_hint: ['#'], line_breaks: true, group: Lexer.SKIPPED })

export const space = define('space', /[\s\ufeff]+/, SPACE_CODES, Lexer.SKIPPED)
const comment = define('comment', /;[^\n\r]*/, [';'], Lexer.SKIPPED)
export const open = define('open', /\(/, ['('])
export const close = define('close', /\)/, [')'])
export const openVector = define('open vector', /#\(/, ['#'])
export const openBytes = define('open bytevector', /#[uU]8\(/, ['#'])
/** A quote mark of any kind. */
export const mark = define('mark', /,@|['`,]/, ["'", '`', ','])
export const string = define('string', /"(?:[^"\\]|\\[^])*"/, ['"'])
export const openString = define('unclosed string', /"(?:[^"\\]|\\[^])*\\?/, ['"'])
export const char = define('character', /#\\(?:[^\s()";'`,|]+|[\ud800-\udbff][\udc00-\udfff]|[^])/, ['#'])
export const labelled = define('label', /#\d+=/, ['#'])
export const labelRef = define('label reference', /#\d+#/, ['#'])
export const skipDatum = define('datum comment', /#;/, ['#'])
export const openComment = define('unclosed comment', /#\|[^]*/, ['#'])
/** A symbol, a number, a boolean or a directive. */
export const atom = define('atom', /(?:\|(?:[^|\\]|\\[^])*\||[^\s()"'`,;|])+/, ATOM_CODES)
export const openSymbol = define('unclosed symbol', /[^\s()"'`,;|]*\|(?:[^|\\]|\\[^])*/, ATOM_CODES)

export interface Token {
  type: TokenType
  image: string
  offset: number
}

const lexer = new Lexer(
  [space, comment, block, open, close, mark, string, openString, openVector, openBytes, char, labelled, labelRef, skipDatum, openComment, atom, openSymbol],
  { positionTracking: 'onlyOffset', ensureOptimizations: false, skipValidations: true, recoveryEnabled: true },
)

/** The tokens of a text. Every character begins or continues some token, so nothing is lost. */
export function tokenize(text: string): { tokenType: TokenType; image: string; startOffset: number }[] {
  return lexer.tokenize(text).tokens
}
