// The Scheme name of a procedure to the name of its JavaScript function, and back.

import type { Procedure } from './value.ts'

/** A JavaScript name: letters and digits as they are, other characters by their code. */
export function mangle(name: string): string {
  return `$${name.replace(/[^A-Za-z0-9]/gu, (char) => `_${char.codePointAt(0)!.toString(36)}_`)}`
}

function demangle(name: string): string {
  return name.slice(1).replace(/_([a-z0-9]+)_/g, (_, code: string) => String.fromCodePoint(parseInt(code, 36)))
}

/** What a program calls this procedure; "" where it has no name. `schemeName` is what builtins carry. */
export function procedureName(procedure: Procedure): string {
  const own = (procedure as { schemeName?: string }).schemeName
  if (own !== undefined) return own
  return nameInStack(procedure.name)
}

/** The Scheme name in a JavaScript stack trace's function name; "" where there is none. */
export function nameInStack(name: string): string {
  return name.startsWith('$') ? demangle(name) : ''
}
