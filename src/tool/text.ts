// The bytes of a file to text, strictly: what is no UTF-8 is said to be none, never mended.

import { ToolError } from './tool-error.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text, a byte-order mark included. Throws ToolError that says what the file is instead. */
export function decodeText(bytes: Uint8Array, path: string): string {
  try {
    return utf8.decode(bytes)
  } catch {
    if (bytes[0] === 0xff && bytes[1] === 0xfe) throw notText(path, 'it is UTF-16, little-endian')
    if (bytes[0] === 0xfe && bytes[1] === 0xff) throw notText(path, 'it is UTF-16, big-endian')
    const at = badByte(bytes)
    throw notText(path, `byte ${at} is 0x${bytes[at]!.toString(16).padStart(2, '0')}${bytes.includes(0) ? '; it looks binary' : ''}`)
  }
}

function notText(path: string, why: string): ToolError {
  return new ToolError('other', `${path} is not valid UTF-8 (${why}), so nothing was changed`)
}

/** Offset of the first byte that begins no UTF-8 sequence, found by halving. */
function badByte(bytes: Uint8Array): number {
  let low = 0
  let high = bytes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isPrefix(bytes.subarray(0, middle + 1))) low = middle + 1
    else high = middle
  }
  return Math.min(low, bytes.length - 1)
}

/** Whether bytes begin some valid text: a cut-off last character is no fault. */
function isPrefix(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
