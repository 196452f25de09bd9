// The sandbox of exec: what a program in it can see and change. Where the system has no bubblewrap
// (`apt-get install bubblewrap`), what needs one is skipped; .ci/run installs it.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bindByName } from '../src/tool/bind.ts'
import { exec } from '../src/tool/exec.ts'
import { fromPlain } from '../src/tool/json.ts'
import { openWorkspace } from '../src/tool/open.ts'
import type { ToolContext } from '../src/tool/prim.ts'
import { findBubblewrap, inSandbox } from '../src/tool/sandbox.ts'
import { makeFolder } from './help.ts'

describe('the sandbox', () => {
  const words = (place: Partial<Parameters<typeof inSandbox>[2]>) => {
    const all = inSandbox('bwrap', ['ls', '-l'], { root: '/w', cwd: '/w/src', home: undefined, path: [], ...place })
    return all.join(' ')
  }

  it('puts the workspace over all that is hidden, and the program last', () => {
    const home = makeFolder()
    const root = join(home, 'project')
    for (const name of ['project', '.cargo/bin', '.local/bin', 'tools/node/v1/bin']) mkdirSync(join(home, name), { recursive: true })
    const path = ['/usr/bin', ...['.cargo/bin', '.local/bin', 'tools/node/v1/bin', 'gone/bin'].map((name) => join(home, name))]
    const shown = words({ root, cwd: root, home, path })
    const [, hidden] = shown.split(`--tmpfs ${home} `)
    expect(hidden).toBe(
      [...['.cargo/bin', '.local/bin', 'tools/node/v1'].map((name) => `--ro-bind ${join(home, name)} ${join(home, name)}`), `--bind ${root} ${root}`, `--setenv TMPDIR /tmp --chdir ${root} -- ls -l`].join(' '),
    )
  })

  it('has no network', () => {
    expect(words({})).toContain('--unshare-net')
  })

  it('where the system has one: the workspace can be written, nothing else, home is empty', async (context) => {
    const bubblewrap = await findBubblewrap()
    if (bubblewrap === null) context.skip('this system has no bubblewrap that works')
    const home = makeFolder()
    const root = join(home, 'project')
    mkdirSync(root)
    writeFileSync(join(home, 'secret'), 'hush')
    const script = `echo x > made; ls -A ${home}; touch /usr/made 2>/dev/null || echo read-only; mount -o remount,rw,bind / 2>/dev/null || echo stays so; cat /proc/net/dev | grep -c eth || true`
    const [program, ...args] = inSandbox(bubblewrap!, ['/bin/sh', '-c', script], { root, cwd: root, home, path: [] })
    const output = execFileSync(program!, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'] } }).trim()
    expect(output).toBe('project\nread-only\nstays so\n0')
    expect(readFileSync(join(root, 'made'), 'utf8')).toBe('x\n')
    expect(existsSync('/usr/made')).toBe(false)
    expect(readdirSync(home).sort()).toEqual(['project', 'secret'])
  })

  it('where the system has one: git works in it, and what it runs or obeys cannot be changed', async (context) => {
    const bubblewrap = await findBubblewrap()
    if (bubblewrap === null) context.skip('this system has no bubblewrap that works')
    const root = makeFolder({ a: '1' })
    execFileSync('git', ['-C', root, 'init', '-q'])
    const script = `git add a && git -c user.name=n -c user.email=e commit -qm one && git checkout -qb two && git log --format=%s; echo x > .git/hooks/pre-commit || echo no hook; git config core.pager x 2>/dev/null || echo no setting`
    const [program, ...args] = inSandbox(bubblewrap!, ['/bin/sh', '-c', script], { root, cwd: root, home: undefined, path: [] })
    const output = execFileSync(program!, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env: { PATH: process.env['PATH'], HOME: root } })
    expect(output).toBe('one\nno hook\nno setting\n')
    expect(existsSync(join(root, '.git/hooks/pre-commit'))).toBe(false)
  })

  it('says of a program that cannot be started what it says without one', async (context) => {
    if ((await findBubblewrap()) === null) context.skip('this system has no bubblewrap that works')
    const workspace = await openWorkspace(makeFolder(), { state: makeFolder() })
    const use = (given: object): Promise<string> =>
      exec.run!(bindByName(exec, fromPlain(given)).args, { workspace, signal: new AbortController().signal, progress: () => {} } as unknown as ToolContext).then(
        ({ text }) => text,
        (error: Error) => error.message,
      )
    expect(await use({ argv: ['no-such-program'] })).toBe('there is no program no-such-program')
    expect(await use({ argv: ['/etc/passwd'] })).toBe('/etc/passwd could not be started (it is no program, or may not be run)')
    expect(await use({ argv: ['echo', 'hi'] })).toBe('exit code 0\nhi\n')
    expect(await use({ argv: ['sleep', '9'], timeout: 1 })).toBe('ended after 1 seconds, no output')
  })
})
