// One confirm on a terminal, of a command that is no conversation.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from './help.ts'
import { typeAt } from './terminal.ts'

const WRITE = `call fs-write '{"path": "a.txt", "content": "new"}'`

test('y writes what the card shows', async () => {
  const cwd = makeFolder()
  const lines = await typeAt(WRITE, [['write it?', 'y\r']], cwd)
  expect(lines).toContain('  +new')
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('new')
})

test.each(['y\n', 'y'])('%j typed before the card was drawn is no answer', async (early) => {
  const cwd = makeFolder()
  await typeAt(WRITE, [['', early], ['write it?', 'n\r']], cwd)
  expect(existsSync(join(cwd, 'a.txt'))).toBe(false)
})
