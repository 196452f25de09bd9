// fs-find: the files whose paths match a glob, without what .gitignore names. ripgrep lists and matches
// them: it does so in linear time, where the matchers made of regular expressions can be kept busy for
// ever by a glob.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import type { Prim } from './prim.ts'
import { missingFile } from './resolve.ts'
import { ToolError } from './tool-error.ts'

const MOST_FILES = 500
/** The names of some million files. */
const MOST_OUTPUT = 256 << 20

export const fsFind: Prim = {
  name: 'fs-find',
  doc: 'Finds files by a glob such as "*.ts" or "src/**/test-*.js". What .gitignore names is left out, and so is .git.',
  readOnly: true,
  effect: 'read',
  params: [
    { name: 'glob', type: 'string', role: 'plain', doc: 'The pattern. One without / matches names in any folder.' },
    { name: 'path', type: 'string', role: 'path', optional: true, default: '.', doc: 'The directory to look in, relative to the workspace.' },
  ],

  async run(args, { workspace, signal }) {
    const path = args.get('path') as string
    const target = await workspace.resolve(path)
    if (target.relative === null) throw new ToolError('denied', `${path} lies outside the workspace ${workspace.root}`)
    if (target.kind === 'missing') throw await missingFile(target)
    if (target.kind !== 'directory') throw new ToolError('other', `${path} is no directory`)
    const glob = args.get('glob') as string
    if (glob === '') throw new ToolError('contract', 'glob is empty', { help: 'give "**" for all files' })
    const files = await findFiles(target.real, glob, signal)
    const found = files.map((file) => (target.relative === '' ? file : join(target.relative!, file))).sort()
    if (found.length === 0) return { text: `no file matches ${glob}`, value: [] }
    const more = found.length > MOST_FILES ? `\n… ${found.length - MOST_FILES} more; narrow the glob or give a path` : ''
    return { text: found.slice(0, MOST_FILES).join('\n') + more, value: found }
  },
}

/** Paths relative to the folder. To ripgrep a glob outdoes .gitignore, so what it finds by the glob counts
 * only where it is among what it finds without one. */
async function findFiles(folder: string, glob: string, signal: AbortSignal): Promise<string[]> {
  const { rgPath } = await import('@vscode/ripgrep')
  const list = (...more: string[]) => run(rgPath, ['--no-config', '--files', '--hidden', '--no-require-git', '--null', ...more, '--glob', '!.git', '--', '.'], { cwd: folder, signal })
  const [all, matching] = await Promise.all([list(), list('--glob', plainGlob(glob))])
  if (signal.aborted) throw signal.reason
  for (const { code, files, stderr } of [matching, all]) {
    // 1: no file; 2: a glob that is none, or a folder that may not be read: then the other files are there.
    if (code === 0 || code === 1 || files.length > 0) continue
    throw new ToolError('other', `the glob ${JSON.stringify(glob)} cannot be used: ${stderr.split('\n')[0]!.replace(/^rg: /, '') || `ripgrep ended with ${code}`}`)
  }
  const seen = new Set(all.files)
  return matching.files.filter((file) => seen.has(file))
}

/** A leading ! is a character like any other, and ./ says nothing. */
function plainGlob(glob: string): string {
  return glob.replace(/^(\.\/)+/, '').replace(/^!/, '\\!')
}

interface Listed {
  files: string[]
  stderr: string
  code: number | string
}

function run(program: string, args: string[], options: { cwd: string; signal: AbortSignal }): Promise<Listed> {
  return new Promise((resolve) => {
    execFile(program, args, { ...options, maxBuffer: MOST_OUTPUT }, (error, stdout, stderr) => {
      const files = stdout.split('\0').filter(Boolean).map((file) => file.replace(/^\.\//, ''))
      resolve({ files, stderr, code: error ? (error.code ?? -1) : 0 })
    })
  })
}
