// What was read under a secret label to where it turns up again, whole or in part, as it was or encoded.
// The values themselves are not kept: only hashes of pieces of them, by a function that each guard draws
// anew.

import { randomInt } from 'node:crypto'
import { finding, shown, type ChangeCheck, type Check } from './check.ts'
import { usesNetwork } from './check-command.ts'
import type { RoleUse } from './role.ts'
import { viewsOf } from './scan.ts'
import type { Finding } from './verdict.ts'

/** Shorter pieces are in too many texts by chance. */
const PIECE = 12

export class KnownValues {
  /** Label by hash of a piece. */
  private readonly pieces = new Map<number, string>()
  private readonly hash = makeHash()

  /** Remembers the values in a text that may be secret: keys, passwords, not the names beside them. */
  remember(text: string, label: string): void {
    for (const value of valuesIn(text)) this.hash(value, (piece) => void (this.pieces.has(piece) || this.pieces.set(piece, label)))
  }

  /** The label under which a piece of this text was read; null where none was. */
  find(text: string): string | null {
    if (this.pieces.size === 0) return null
    for (const view of [...viewsOf(text), text.split('').reverse().join('')]) {
      let found: string | undefined
      this.hash(view, (piece) => {
        found ??= this.pieces.get(piece)
      })
      if (found !== undefined) return found
    }
    return null
  }
}

/** Two rolling hashes of each piece, together a number that is exact. */
function makeHash(): (text: string, each: (hash: number) => void) => void {
  const [one, two] = [randomInt(2 ** 31) | 1, randomInt(2 ** 31) | 1]
  let [firstPower, secondPower] = [1, 1]
  for (let i = 1; i < PIECE; i++) [firstPower, secondPower] = [Math.imul(firstPower, one), Math.imul(secondPower, two)]
  return (text, each) => {
    let [a, b] = [0, 0]
    for (let i = 0; i < text.length; i++) {
      if (i >= PIECE) {
        const gone = text.charCodeAt(i - PIECE)
        a -= Math.imul(gone, firstPower)
        b -= Math.imul(gone, secondPower)
      }
      const code = text.charCodeAt(i)
      a = (Math.imul(a, one) + code) | 0
      b = (Math.imul(b, two) + code) | 0
      if (i >= PIECE - 1) each((a >>> 0) * 2 ** 20 + (b >>> 12))
    }
  }
}

const ADDRESS = /^[a-z][\w+.-]*:\/\//i

function valuesIn(text: string): string[] {
  return text
    .split(/[\s"'`,;<>(){}[\]]+/)
    .map((word) => (ADDRESS.test(word) ? word : word.replace(/^[\w.-]*[=:](?=.)/, '')))
    .flatMap((word) => (ADDRESS.test(word) ? ofAddress(word) : [word]))
    .filter((value) => value.length >= PIECE && looksSecret(value))
}

/** Of an address only what is private in it. */
function ofAddress(word: string): string[] {
  try {
    const { password, searchParams } = new URL(word)
    return [decodeURIComponent(password), ...searchParams.values()]
  } catch {
    return []
  }
}

/** Ordinary words, paths and names are none. */
function looksSecret(value: string): boolean {
  const hasDigit = /\d/.test(value)
  const hasLetter = /[a-z]/i.test(value)
  return (hasDigit && hasLetter) || (/[a-z]/.test(value) && /[A-Z]/.test(value)) || (value.length >= 24 && !value.includes('/'))
}

/** In what leaves or runs, and in messages. */
export const checkKnownValue: Check = (use, { known, call }) => {
  const label = known.find(use.text)
  if (label === null) return []
  const isOut = use.role === 'url' || (use.role === 'command' && usesNetwork(use.text)) || call.prim.effect === 'network'
  return [tell(use, use.place, label, isOut)]
}

/** In what a file would hold that it does not hold yet. */
export const checkKnownChange: ChangeCheck = ({ before, after, given }, { known }) => {
  if (after === null) return []
  const decoder = new TextDecoder()
  const label = known.find(decoder.decode(after))
  if (label === null || (before !== null && known.find(decoder.decode(before)) !== null)) return []
  return [tell(null, shown(given), label, false)]
}

function tell(use: RoleUse | null, place: string, label: string, isOut: boolean): Finding {
  const source = shown(label.replace(/^secret:/, ''))
  return finding('known value', isOut ? 'deny' : 'security confirm', use, `${place} holds a value that was read from ${source}${isOut ? ', which must not leave this machine' : ''}`)
}
