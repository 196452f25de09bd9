// Text from files, models and commands to text that a terminal may be sent: what would move the cursor,
// hide, or turn the direction of writing is shown by its code point instead.

// Controls, format characters (zero width, bidi, soft hyphen, byte order mark, tags), line separators.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu

/** Tabs and line feeds stay. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => {
    if (char === '\n' || char === '\t') return char
    if (char === '\r') return '␍'
    return `<U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`
  })
}
