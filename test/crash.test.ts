// What a program that is killed in the middle of writing leaves behind: the old bytes or the new ones, a
// versions store that opens, and after the next start no other file. And two that write at once.

import { spawn } from 'node:child_process'
import { linkSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openWorkspace } from '../src/tool/open.ts'
import { makeFolder } from './help.ts'

const ROUNDS = 100
const SIZE = 200_000
const MODULE = JSON.stringify(resolve(import.meta.dirname, '../src/tool/open.ts'))

/** Edits a file over and over; says `ready` once it has begun. The content is a letter, repeated. */
const PROGRAM = `
  const { openWorkspace } = await import(${MODULE})
  const { readFileSync } = await import('node:fs')
  const [root, state] = process.argv.slice(1)
  const workspace = await openWorkspace(root, { state })
  for (let i = 0; ; i++) {
    const before = readFileSync(root + '/f')
    const after = Buffer.alloc(${SIZE}, 97 + i % 26)
    if (before.equals(after)) continue
    await workspace.commit([{ path: root + '/f', given: 'f', before, after }], { session: 's', call: 'c' })
    if (i === 1) process.stdout.write('ready')
  }`

/** Runs the program and kills it so many milliseconds after it began to write. */
function killAfter(ms: number, root: string, state: string): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, root, state], { stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    child.stderr.on('data', (text) => (said += String(text)))
    child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), ms))
    child.on('exit', (_code, signal) => (signal === 'SIGKILL' ? done() : fail(new Error(said))))
  })
}

function isWhole(bytes: Buffer): boolean {
  return bytes.length === SIZE && bytes.every((byte) => byte === bytes[0])
}

async function checkRounds(hasSecondName: boolean): Promise<void> {
  const root = makeFolder()
  const state = makeFolder()
  writeFileSync(join(root, 'f'), Buffer.alloc(SIZE, 122))
  if (hasSecondName) linkSync(join(root, 'f'), join(root, 'g'))
  const names = hasSecondName ? ['f', 'g'] : ['f']
  for (let round = 0; round < ROUNDS / 2; round++) {
    await killAfter((round * 7) % 23, root, state)
    // A file written in place may be half written until the next start.
    if (!hasSecondName) expect(isWhole(readFileSync(join(root, 'f')))).toBe(true)
    const workspace = await openWorkspace(root, { state })
    expect(isWhole(readFileSync(join(root, 'f')))).toBe(true)
    expect(readdirSync(root).sort()).toEqual(names)
    const [version] = await workspace.versions.list(join(root, 'f'))
    expect(isWhole(Buffer.from((await workspace.versions.content(version!))!))).toBe(true)
  }
}

describe('a program that is killed while it writes', () => {
  it('leaves the old bytes or the new ones, and no other file', () => checkRounds(false), 120_000)
  it('the same for a file with two names, which is written in place', () => checkRounds(true), 120_000)
})

/** Adds its letter to a file so many times; a change refused since the file changed is tried again. */
const ADDING = `
  const { openWorkspace } = await import(${MODULE})
  const { readFileSync } = await import('node:fs')
  const [root, state, letter] = process.argv.slice(1)
  const workspace = await openWorkspace(root, { state })
  for (let made = 0; made < 40; ) {
    const before = readFileSync(root + '/f')
    const after = Buffer.concat([before, Buffer.from(letter)])
    try {
      await workspace.commit([{ path: root + '/f', given: 'f', before, after }], { session: letter, call: 'c' })
      made++
    } catch (error) {
      if (error.kind !== 'changed-on-disk') throw error
    }
  }`

describe('two programs that write one file at once', () => {
  it('lose none of their changes, and keep a version of each', async () => {
    const root = makeFolder({ f: '' })
    const state = makeFolder()
    const add = (letter: string) =>
      new Promise<void>((done, fail) => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', ADDING, root, state, letter], { stdio: ['ignore', 'ignore', 'pipe'] })
        let said = ''
        child.stderr.on('data', (text) => (said += String(text)))
        child.on('exit', (code) => (code === 0 ? done() : fail(new Error(said))))
      })
    await Promise.all([add('a'), add('b')])
    const letters = readFileSync(join(root, 'f'), 'utf8')
    expect([...letters].sort().join('')).toBe('a'.repeat(40) + 'b'.repeat(40))
    const versions = await (await openWorkspace(root, { state })).versions.list(join(root, 'f'))
    expect(versions).toHaveLength(80)
    expect(readdirSync(root)).toEqual(['f'])
  }, 60_000)
})
