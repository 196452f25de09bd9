// Numbers to text and text to numbers (R7RS 6.2.7, 7.1.1): radix and exactness prefixes, rationals,
// decimals with exponents, infinities and NaN. There are no complex numbers.

import { exactOf, normalize, ratio, toDouble, type Numeric } from './exact.ts'
import { Flonum, Rational } from './value.ts'

const RADIX: Record<string, number> = { b: 2, o: 8, d: 10, x: 16 }
const DIGITS: Record<number, string> = { 2: '[01]', 8: '[0-7]', 10: '[0-9]', 16: '[0-9a-f]' }
const INTEGER: Record<number, RegExp> = {}
for (const [radix, digit] of Object.entries(DIGITS)) INTEGER[Number(radix)] = new RegExp(`^[+-]?${digit}+$`)

const SPECIAL: Record<string, number> = { '+inf.0': Infinity, '-inf.0': -Infinity, '+nan.0': NaN, '-nan.0': NaN }
/** An exponent may be marked with the letters of R5RS's precisions too; here all reals are doubles. */
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[esfdl]([+-]?\d+))?$/
/** Exponents of exact decimals beyond this are refused: #e1e1000000000 would fill the memory. */
const LARGEST_EXPONENT = 100_000

/** The number that a text writes; null where it writes none. */
export function parseNumber(text: string, radix: number): Numeric | null {
  const first = text.charCodeAt(0)
  // Most atoms are symbols: decide that at the first character.
  if (radix === 10 && !(first >= 48 && first <= 57) && first !== 43 && first !== 45 && first !== 46 && first !== 35) return null
  let rest = text.toLowerCase()
  let exactness = ''
  while (rest.startsWith('#')) {
    const letter = rest[1] ?? ''
    if (letter === 'e' || letter === 'i') {
      if (exactness !== '') return null
      exactness = letter
    } else if (RADIX[letter] !== undefined) radix = RADIX[letter]
    else return null
    rest = rest.slice(2)
  }
  const number = parseReal(rest, radix, exactness === 'e')
  if (number === null || exactness === '') return number
  if (exactness === 'i') return new Flonum(toDouble(number))
  if (!(number instanceof Flonum)) return number
  return Number.isFinite(number.value) ? exactOf(number.value) : null
}

function parseReal(text: string, radix: number, exact: boolean): Numeric | null {
  const special = SPECIAL[text]
  if (special !== undefined) return new Flonum(special)
  if (INTEGER[radix]?.test(text)) return parseInteger(text, radix)
  const slash = text.indexOf('/')
  if (slash > 0) {
    const above = text.slice(0, slash)
    const below = text.slice(slash + 1)
    if (!INTEGER[radix]?.test(above) || !INTEGER[radix].test(below) || /^[+-]/.test(below)) return null
    const denominator = BigInt(parseInteger(below, radix))
    return denominator === 0n ? null : ratio(BigInt(parseInteger(above, radix)), denominator)
  }
  if (radix !== 10) return null
  const match = DECIMAL.exec(text)
  if (!match) return null
  const [, signText, whole = '', fraction = '', exponent = '0'] = match
  if (whole === '' && fraction === '') return null
  if (!exact) return new Flonum(Number(text.replace(/[sfdl]/, 'e')))
  const power = Number(exponent) - fraction.length
  if (Math.abs(power) > LARGEST_EXPONENT) return null
  const digits = BigInt(`${whole}${fraction}`) * (signText === '-' ? -1n : 1n)
  return power >= 0 ? normalize(digits * 10n ** BigInt(power)) : ratio(digits, 10n ** BigInt(-power))
}

function parseInteger(text: string, radix: number): number | bigint {
  if (text.length < 15 && radix === 10) return Number(text) + 0
  const negative = text.startsWith('-')
  const digits = text.replace(/^[+-]/, '')
  const prefix = radix === 10 ? '' : radix === 16 ? '0x' : radix === 8 ? '0o' : '0b'
  const value = BigInt(prefix + digits)
  return normalize(negative ? -value : value)
}

/** As `write` shows it; an inexact one in another radix than 10 as its exact value in that radix. */
export function numberText(number: Numeric, radix = 10): string {
  if (number instanceof Rational) return `${number.numerator.toString(radix)}/${number.denominator.toString(radix)}`
  if (!(number instanceof Flonum)) return number.toString(radix)
  const { value } = number
  if (Number.isNaN(value)) return '+nan.0'
  if (!Number.isFinite(value)) return value > 0 ? '+inf.0' : '-inf.0'
  if (Object.is(value, -0)) return '-0.0'
  const text = value.toString(radix)
  if (/[.]/.test(text) || (radix === 10 && text.includes('e'))) return text.replace('e+', 'e')
  return `${text}.0`
}


