// Characters that no reader sees, in what a file would hold after the call and in messages: bidi
// controls, tags, zero-width characters. Those that a file held before count for nothing.

import { finding, shown, type ChangeCheck, type Check } from './check.ts'
import type { RoleUse } from './role.ts'

const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu
/** What is none: the three flags that Unicode registers with tags; one selector after an emoji, a joiner
 * between two; joiners in scripts that are written with them; one selector after an ideograph. */
const FLAG = String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`
const SELECTOR = String.raw`(?<=[\p{Extended_Pictographic}\d#*])[\uFE0E\uFE0F](?!\p{Variation_Selector})`
const JOINER = String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?)\u200D(?=\p{Extended_Pictographic})`
const SCRIPTS = ['Arabic', 'Devanagari', 'Bengali', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Gujarati', 'Gurmukhi', 'Oriya', 'Sinhala']
const LETTER = `[${SCRIPTS.map((script) => String.raw`\p{Script=${script}}`).join('')}]`
const IN_WORD = String.raw`(?<=${LETTER})[\u200C\u200D](?=${LETTER})`
const IDEOGRAPH = String.raw`(?<=\p{Script=Han})\p{Variation_Selector}(?!\p{Variation_Selector})`
const VISIBLE_USE = new RegExp([FLAG, SELECTOR, JOINER, IN_WORD, IDEOGRAPH].join('|'), 'gu')

/** A payload of a tool that plans nothing, and a message. What a plan writes is judged by its outcome. */
export const checkHidden: Check = (use, { call }) => {
  if (use.role === 'payload' && call.prim.plan) return []
  return report(use, hiddenOf(use.text), use.place)
}

export const checkHiddenChange: ChangeCheck = ({ before, after, given }, { uses }) => {
  const use = uses.find(({ role, text }) => role === 'payload' && hiddenOf(text).length > 0) ?? uses.find(({ role }) => role === 'payload') ?? null
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const hidden = after ? hiddenOf(decoder.decode(after)) : []
  if (hidden.length === 0) return []
  const left = new Map<string, number>()
  for (const char of before ? hiddenOf(decoder.decode(before)) : []) left.set(char, (left.get(char) ?? 0) + 1)
  const risen = hidden.filter((char) => {
    const count = left.get(char) ?? 0
    left.set(char, count - 1)
    return count <= 0
  })
  return report(use, risen, shown(given))
}

function hiddenOf(text: string): string[] {
  HIDDEN.lastIndex = 0
  if (!HIDDEN.test(text)) return []
  return text.replace(VISIBLE_USE, '').match(HIDDEN) ?? []
}

function report(use: RoleUse | null, hidden: string[], where: string): ReturnType<typeof finding>[] {
  if (hidden.length === 0) return []
  const names = [...new Set(hidden)].slice(0, 3).map((char) => `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`)
  return [finding('hidden characters', 'security confirm', use, `${where} would hold characters that cannot be seen (${names.join(', ')}${new Set(hidden).size > 3 ? ', …' : ''})`)]
}
