#!/usr/bin/env node
// The program. Checks that this Node can run it, wires models to sessions and clients, and hands over to
// the command line. It stays small: `nodwyn eval 1` pays for everything that is loaded here.

import module from 'node:module'
import { join } from 'node:path'
import { stateFolder } from './session/place.ts'

const LEAST = [22, 18] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1])) {
  process.stderr.write(`nodwyn needs Node ${LEAST.join('.')} or later, got ${process.versions.node}\n`)
  process.exit(2)
}

// Whoever reads the output may go away early (`nodwyn log | head`): that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

// What was compiled before need not be again; the cache is the person's own.
module.enableCompileCache(join(stateFolder(), 'compiled'))

const replaying = async (id: string) => (await import('./session/replay-model.ts')).makeReplaying(id)

const { runProgram } = await import('./client/program.ts')
const code = await runProgram(process.argv.slice(2), {
  resolveModel: async (name) => (await import('./model/resolve.ts')).resolveModel(name, process.env, new Map([['replay', replaying]])),
})
// What goes to a pipe is written later: an exit before would cut it off.
await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))))
process.exit(code)
