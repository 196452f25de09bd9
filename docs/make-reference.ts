// Writes docs/reference.md: every name of the language by library, with its usage line and sentence as
// ,doc shows them. `npm run reference`; a test holds that the page is what this makes.

import { writeFileSync } from 'node:fs'
import { createEngine } from '../src/engine/index.ts'
import { STANDARD_LIBRARIES } from '../src/engine/standard-library.ts'
import { defineLanguage } from '../src/session/language.ts'

const HEAD = `# The language

Made from the docstrings by \`npm run reference\`; \`,doc NAME\` at a prompt shows the same.

A program starts with all of these names; \`(import …)\` gives them under other names or to a library. Where
a name belongs to several libraries it stands in the first. Files, the clock and the process's environment
are there where the host gives them: for a program that \`nodwyn eval -f FILE\` runs, files in its own
folder, the current one and the temporary one. Numbers are exact integers of any size, exact fractions and
inexact reals; there are no complex numbers.
`

/** The libraries whose names stand together, in the order of the page. */
const GROUPS: [title: string, holds: (name: string) => boolean][] = [
  ['(nodwyn regexp): regular expressions', (name) => name.startsWith('regexp')],
  ['(nodwyn json): JSON', (name) => name.startsWith('json')],
  ['(nodwyn fiber): fibers', (name) => /^(spawn|join|yield|parallel|parallel-map)$/.test(name)],
  ['(srfi 69): hash tables', (name) => /hash/.test(name)],
  ['(srfi 13), (srfi 130), (srfi 152): strings', (name) => name.startsWith('string')],
  ['(srfi 132): sorting', (name) => /^(list|vector)-(sort|merge|stable)|sorted/.test(name)],
  ['(srfi 133): vectors', (name) => name.includes('vector')],
  ['Others', () => true],
]

export function referencePage(): string {
  const engine = createEngine()
  defineLanguage(engine)
  const left = new Set(engine.names())
  const sections: string[] = [HEAD]
  const section = (title: string, names: string[]): void => {
    if (names.length === 0) return
    for (const name of names) left.delete(name)
    const entries = names.map((name) => {
      const { usage, doc } = engine.describe(name)!
      return `- \`${usage.replaceAll('\n', '` or `')}\`${doc === '' ? '' : `: ${doc.replaceAll(/\s+/g, ' ').replaceAll(/([*_<>|])/g, '\\$1')}`}`
    })
    sections.push(`## ${title}\n\n${entries.join('\n')}\n`)
  }
  for (const [library, names] of STANDARD_LIBRARIES) section(library, [...new Set(names)].filter((name) => left.has(name)).sort())
  for (const [title, holds] of GROUPS) section(title, [...left].filter(holds).sort())
  return sections.join('\n')
}

if (import.meta.main) writeFileSync(new URL('reference.md', import.meta.url), referencePage())
