// fs-find: the files whose paths match a glob. ripgrep lists them, so what .gitignore names is left out.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { join } from 'node:path'
import type { Prim } from './prim.ts'
import { missingFile } from './resolve.ts'
import { ToolError } from './tool-error.ts'

const MOST_FILES = 500

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
    const files = await listFiles(target.real, args.get('glob') as string, signal)
    const found = files.map((file) => (target.relative === '' ? file : join(target.relative!, file))).sort()
    if (found.length === 0) return { text: `no file matches ${args.get('glob') as string}`, value: [] }
    const more = found.length > MOST_FILES ? `\n… ${found.length - MOST_FILES} more; narrow the glob or give a path` : ''
    return { text: found.slice(0, MOST_FILES).join('\n') + more, value: found.slice(0, MOST_FILES) }
  },
}

/** Paths relative to the folder. */
async function listFiles(folder: string, glob: string, signal: AbortSignal): Promise<string[]> {
  const { rgPath } = await import('@vscode/ripgrep')
  // A pattern with a leading ! would turn the search around.
  if (glob.startsWith('!')) throw new ToolError('contract', 'glob must not begin with !')
  const args = ['--no-config', '--files', '--hidden', '--null', '--glob', glob, '--glob', '!.git', '--glob', '!.git/**', '--', '.']
  try {
    const { stdout } = await promisify(execFile)(rgPath, args, { cwd: folder, signal, maxBuffer: 64 << 20 })
    return stdout.split('\0').filter(Boolean).map((file) => file.replace(/^\.\//, ''))
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const { code, stderr } = error as { code?: number; stderr?: string }
    if (code === 1) return []
    const [line = ''] = (stderr ?? '').split('\n')
    throw new ToolError('other', `the glob ${JSON.stringify(glob)} cannot be used: ${line.replace(/^rg: /, '') || 'ripgrep failed'}`)
  }
}
