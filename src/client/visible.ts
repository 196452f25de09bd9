// Text from files, models and commands to text that a terminal may be sent: what would move the cursor,
// hide, or turn the direction of writing is shown by its code point instead.

/** `\t` and line feeds stay. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => {
    if (char === '\r') return '␍'
    return `<U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`
  })
}

// Controls but tab and line feed; then format characters: soft hyphen, zero width, bidi, variation
// selectors, the byte order mark, interlinear, and the tag block.
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e01ef}]/gu
