// Of a regular expression in ripgrep's syntax the ASCII texts that every match holds. Whatever is not
// understood for certain gives none: a text too many would lose matches, one too few costs only time.

/** At least 3 characters each; they may overlap in a match, and their order says nothing. */
export function requiredLiterals(pattern: string): string[] {
  const runs: string[] = []
  let run = ''
  const endRun = () => {
    if (run.length >= 3) runs.push(run)
    run = ''
  }
  for (let i = 0; i < pattern.length; ) {
    const char = pattern[i]!
    if (char === '|') return []
    if ('*?{'.includes(char)) run = run.slice(0, -1) // what it repeats may be missing
    const literal = char === '\\' ? escaped(pattern[i + 1]) : /[ -~]/.test(char) && !'.^$*+?{(['.includes(char) ? char : ''
    if (literal === null) return []
    run += literal
    if (literal === '') endRun()
    i = partEnd(pattern, i)
    if (i < 0) return []
  }
  endRun()
  return runs
}

/** What an escape stands for: "" for a class or a place, null where that is not certain. */
function escaped(char: string | undefined): string | null {
  if (char === undefined || /[^ -~]/.test(char)) return null
  if (/[bBAzdDsSwWafnrtv<>]/.test(char)) return ''
  return /\w/.test(char) ? null : char
}

/** Where the part that begins at `i` ends; -1 where it does not, or sets flags. */
function partEnd(pattern: string, i: number): number {
  if (pattern[i] === '\\') return i + 2
  if (pattern[i] === '[') return classEnd(pattern, i)
  if (pattern[i] === '(') return groupEnd(pattern, i)
  if (pattern[i] !== '{') return i + 1
  const end = pattern.indexOf('}', i)
  return end < 0 ? -1 : end + 1
}

const CLASS = /\[\^?(?:[^[\]\\]|\\.)+\]/y

/** A class in a class is not understood. */
function classEnd(pattern: string, i: number): number {
  CLASS.lastIndex = i
  return CLASS.test(pattern) ? CLASS.lastIndex : -1
}

function groupEnd(pattern: string, i: number): number {
  for (let depth = 0; i >= 0 && i < pattern.length; ) {
    if (pattern[i] === '(') {
      if (pattern[i + 1] === '?' && !/^\(\?(:|P?<[A-Za-z_])/.test(pattern.slice(i, i + 5))) return -1
      depth++
      i++
    } else if (pattern[i] === ')') {
      i++
      if (--depth === 0) return i
    } else i = pattern[i] === '{' ? i + 1 : partEnd(pattern, i)
  }
  return -1
}
