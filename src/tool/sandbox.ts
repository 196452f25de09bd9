// An argument vector to one that runs in a sandbox, where the system has bubblewrap and lets it work: the
// workspace can be written, the rest of the machine only read, home and the sockets of other programs are
// not there, nor is the network. What more or less a program may do is decided here and nowhere else.

import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'

export interface SandboxPlace {
  root: string
  cwd: string
  home: string | undefined
  /** Directories that programs are found in. */
  path: string[]
}

const WHERE = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap']

let found: Promise<string | null> | null = null

/** The bubblewrap of this system; null where there is none, where it cannot make a sandbox (a container
 * without user namespaces), and where the person said NODWYN_SANDBOX=off. Looked for once. */
export function findBubblewrap(): Promise<string | null> {
  found ??= (async () => {
    if (process.env['NODWYN_SANDBOX'] === 'off') return null
    const program = WHERE.find((path) => existsSync(path))
    return program !== undefined && (await works(program)) ? program : null
  })()
  return found
}

function works(program: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, [...BASE, '--', '/bin/true'], { timeout: 5000 }, (error) => resolve(error === null))
  })
}

/** Root would keep the power to mount what is read-only anew: of its powers only those over files stay. */
const POWERS = process.getuid?.() === 0 ? ['--cap-drop', 'ALL', '--cap-add', 'CAP_CHOWN', '--cap-add', 'CAP_DAC_OVERRIDE', '--cap-add', 'CAP_FOWNER'] : []

const BASE = [
  '--die-with-parent', '--unshare-net', '--unshare-pid', '--unshare-ipc', ...POWERS,
  '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--tmpfs', '/run',
  // Where NixOS has its programs.
  '--ro-bind-try', '/run/current-system', '/run/current-system',
]

/** The argument vector with the sandbox before it. */
export function inSandbox(bubblewrap: string, argv: string[], { root, cwd, home, path }: SandboxPlace): string[] {
  const hidden = home !== undefined && home !== sep && existsSync(home) ? realpathSync(home) : null
  const tools = hidden === null ? [] : path.filter((folder) => isInside(folder, hidden) && existsSync(folder)).map((folder) => toolFolder(folder, hidden))
  return [
    bubblewrap,
    ...BASE,
    ...(hidden === null ? [] : ['--tmpfs', hidden]),
    ...tools.flatMap((folder) => ['--ro-bind', folder, folder]),
    '--bind', root, root,
    ...ofGit(root).flatMap((path) => ['--ro-bind', path, path]),
    '--setenv', 'TMPDIR', '/tmp', '--chdir', cwd, '--', ...argv,
  ]
}

/** What git runs or obeys when it is used later, without a sandbox. A commit needs none of it. */
function ofGit(root: string): string[] {
  return ['config', 'hooks', 'info'].map((name) => join(root, '.git', name)).filter((path) => existsSync(path))
}

/** What is shown of home for a folder of programs in it: the folder, and beside a `bin` deep enough to be
 * an installation of its own (not `~/.local/bin`) what the programs in it need. */
function toolFolder(folder: string, home: string): string {
  const above = dirname(folder)
  const isInstallation = /^\.?bin$/.test(basename(folder)) && isInside(dirname(above), home)
  return isInstallation ? above : folder
}

function isInside(folder: string, home: string): boolean {
  return folder.startsWith(`${home}${sep}`)
}
