// `nodwyn versions`: which earlier versions of files are kept, and what the change after one of them did.

import { diffVersion, listVersions, type PastVersion } from '../session/history.ts'
import { colorsFor, type Colors } from './colour.ts'
import { diffText } from './diff-text.ts'
import { EXIT } from './exit-code.ts'
import type { Common } from './program.ts'
import { visible } from './visible.ts'

interface VersionsOptions extends Common {
  diff?: number
  json?: boolean
}

export async function versions(path: string | undefined, { cwd, diff, json }: VersionsOptions): Promise<number> {
  if (diff !== undefined) {
    if (path === undefined) {
      process.stderr.write('say of which file: nodwyn versions PATH --diff N\n')
      return EXIT.usage
    }
    const text = await diffVersion(cwd, path, diff)
    process.stdout.write(text === '' ? 'no difference\n' : `${diffText(text, colorsFor(process.stdout))}\n`)
    return EXIT.done
  }
  const past = await listVersions(cwd, path ?? null)
  if (json) for (const version of past) process.stdout.write(`${JSON.stringify(version)}\n`)
  else if (past.length === 0) process.stdout.write(path === undefined ? 'nothing was changed here\n' : `${path} was not changed here\n`)
  else process.stdout.write(`${versionLines(past, colorsFor(process.stdout)).join('\n')}\n`)
  return EXIT.done
}

/** One line a version, in columns: its number for fs-undo, when it was replaced, its size, the path, and
 * the session that replaced it. */
export function versionLines(past: PastVersion[], { dim }: Colors): string[] {
  const width = Math.max(...past.map(({ path }) => path.length))
  return past.map((version) => {
    const { n, time, path, session } = version
    return `${String(n).padStart(3)}  ${time.slice(0, 19).replace('T', ' ')}  ${sizeOf(version).padStart(13)}  ${visible(path).padEnd(width)}  ${dim(session)}`
  })
}

function sizeOf({ kind, size, existed }: PastVersion): string {
  if (!existed) return `no ${kind}`
  if (size === null) return 'dropped'
  return kind === 'file' ? `${size.toLocaleString('en')} bytes` : kind
}
