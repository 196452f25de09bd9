// Edits on texts of 1,000 to 100,000 lines, 1 to 100 a call, beside jsdiff's applyPatch of the same changes
// and a naive split and join: milliseconds, and how many times ours they take. And the whole call: read,
// apply, judge, diff, write with fsync. `node bench/edit.ts`.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applyPatch, structuredPatch } from 'diff'
import { openGuard } from '../src/guard/open.ts'
import type { Edit } from '../src/tool/apply-edit.ts'
import { applyEdits } from '../src/tool/apply-edits.ts'
import { bindByName } from '../src/tool/bind.ts'
import { diffOf } from '../src/tool/diff.ts'
import { fsEdit } from '../src/tool/edit.ts'
import { fromPlain } from '../src/tool/json.ts'
import { openWorkspace } from '../src/tool/open.ts'
import type { ToolContext } from '../src/tool/prim.ts'

const ROUNDS = 5

/** The best of some rounds, in milliseconds. */
async function best(step: (round: number) => unknown): Promise<number> {
  let least = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    await step(round)
    least = Math.min(least, performance.now() - start)
  }
  return least
}

function textOf(lines: number): string {
  return Array.from({ length: lines }, (_, i) => `  const value${i} = compute(${i}, "some text")\n`).join('')
}

function editsOf(lines: number, count: number): Edit[] {
  return Array.from({ length: count }, (_, i) => {
    const at = Math.floor(((i + 0.5) * lines) / count)
    return { old: `value${at} = compute(${at},`, new: `value${at} = changed(${at},`, replaceAll: false }
  })
}

function naive(text: string, edits: Edit[]): string {
  for (const { old, new: replaced } of edits) {
    const parts = text.split(old)
    if (parts.length !== 2) throw new Error('not unique')
    text = parts.join(replaced)
  }
  return text
}

const root = mkdtempSync(join(tmpdir(), 'nodwyn-bench-'))
const state = mkdtempSync(join(tmpdir(), 'nodwyn-bench-state-'))
const workspace = await openWorkspace(root, { state })
const guard = await openGuard({ workspace, policy: { attended: true, grants: [], denylist: [], protect: [] }, ownFolders: [state] })
const context = { workspace, signal: new AbortController().signal } as unknown as ToolContext

async function wholeCall(text: string, edits: Edit[]): Promise<number> {
  const given = fromPlain({ path: 'f', edits: edits.map(({ old, new: replaced }) => ({ old, new: replaced })) })
  return best(async (round) => {
    // Of a text that it has not seen, as a file is that somebody works on.
    const start = performance.now()
    writeFileSync(join(root, 'f'), `${text}${round}\n`)
    const spent = performance.now() - start
    const { args } = bindByName(fsEdit, given)
    const call = { prim: fsEdit, args, caller: 'model' as const, labels: new Set<string>(), argumentLabels: new Map() }
    await guard.judgeCall(call)
    const { changes } = await fsEdit.plan!(args, context)
    await guard.judgeChanges(call, changes)
    await diffOf(changes)
    await workspace.commit(changes, { session: 'bench', call: 'c' })
    return spent
  })
}

console.log('  lines  edits  applyEdits  applyPatch  times   split-join  times   whole call')
for (const lines of [1_000, 10_000, 100_000])
  for (const count of [1, 10, 100]) {
    const text = textOf(lines)
    const edits = editsOf(lines, count)
    const after = naive(text, edits)
    const { text: ours, failures } = applyEdits(text, edits)
    if (ours !== after || failures.length > 0) throw new Error('a wrong result')
    const patch = structuredPatch('f', 'f', text, after, '', '', { context: 3 })
    const figures = [await best(() => applyEdits(text, edits).text.length), await best(() => (applyPatch(text, patch) as string).length), await best(() => naive(text, edits).length)] as const
    const [own, jsdiff, split] = figures
    const cells = [own.toFixed(2).padStart(12), jsdiff.toFixed(2).padStart(12), (jsdiff / own).toFixed(2).padStart(7), split.toFixed(2).padStart(13), (split / own).toFixed(2).padStart(7), (await wholeCall(text, edits)).toFixed(1).padStart(13)]
    console.log(String(lines).padStart(7) + String(count).padStart(7) + cells.join(''))
  }
rmSync(root, { recursive: true })
rmSync(state, { recursive: true })
