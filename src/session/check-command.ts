// A folder to the command that checks the work done in it: what its own files say its tests are.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Each: a file, what in it shows that there is something to run, and the command. The first that fits counts. */
const DETECTED: { file: string; shows: (text: string) => boolean; command: string[] }[] = [
  { file: 'package.json', shows: hasTestScript, command: ['npm', 'test', '--silent'] },
  { file: 'Cargo.toml', shows: () => true, command: ['cargo', 'test', '--quiet'] },
  { file: 'go.mod', shows: () => true, command: ['go', 'test', './...'] },
  { file: 'Makefile', shows: (text) => /^check:/m.test(text), command: ['make', 'check'] },
  { file: 'Makefile', shows: (text) => /^test:/m.test(text), command: ['make', 'test'] },
  { file: 'pyproject.toml', shows: (text) => text.includes('pytest'), command: ['python3', '-m', 'pytest', '-q'] },
  { file: 'pytest.ini', shows: () => true, command: ['python3', '-m', 'pytest', '-q'] },
]

/** The argument vector of the project's check, or null where none is found. */
export async function detectCheck(root: string): Promise<string[] | null> {
  for (const { file, shows, command } of DETECTED) {
    const text = await readFile(join(root, file), 'utf8').catch(() => null)
    if (text !== null && shows(text)) return command
  }
  return null
}

/** npm writes a test script that only fails into new packages: that is none. */
function hasTestScript(text: string): boolean {
  try {
    const script: unknown = (JSON.parse(text) as { scripts?: { test?: unknown } } | null)?.scripts?.test
    return typeof script === 'string' && !script.includes('no test specified')
  } catch {
    return false
  }
}
