// Where things lie on this machine: the program's own files, what it keeps, what the person configures.
// None of it lies in a workspace.

import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json, scheme/, prompts.scm and demo/, found upwards from this file. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder)
    if (above === folder) return folder
    folder = above
  }
  return folder
}

export function stateFolder(): string {
  return join(process.env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'nodwyn')
}

export function configFolder(): string {
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'nodwyn')
}

export function sessionsFolder(state = stateFolder()): string {
  return join(state, 'sessions')
}

/** The program's version, as package.json has it. */
export function version(): string {
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version
}
