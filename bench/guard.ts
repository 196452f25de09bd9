// How long the guard takes: an ordinary edit of a 2,000-line file, and payloads of 1 MB. `node bench/guard.ts`.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openGuard } from '../src/guard/open.ts'
import { bindByName } from '../src/tool/bind.ts'
import { findPrim } from '../src/tool/index.ts'
import { fromPlain } from '../src/tool/json.ts'
import { openWorkspace } from '../src/tool/open.ts'
import type { ToolContext } from '../src/tool/prim.ts'

const root = mkdtempSync(join(tmpdir(), 'nodwyn-bench-'))
const state = mkdtempSync(join(tmpdir(), 'nodwyn-bench-state-'))
const lines = Array.from({ length: 2000 }, (_, i) => `  const value${i} = compute(${i}, "some text", https://x.test/${i})`)
writeFileSync(join(root, 'a.ts'), `${lines.join('\n')}\n`)
const workspace = await openWorkspace(root, { state })
const guard = await openGuard({ workspace, policy: { attended: true, grants: [], denylist: [], protect: [] }, ownFolders: [state] })

async function time(tool: string, given: object): Promise<number> {
  const prim = findPrim(tool)!
  const { args, labels } = bindByName(prim, fromPlain(given))
  const call = { prim, args, caller: 'model' as const, labels: new Set<string>(), argumentLabels: labels }
  const plan = await prim.plan!(args, { workspace } as ToolContext)
  let least = Infinity
  for (let i = 0; i < 9; i++) {
    const began = performance.now()
    await guard.judgeCall(call)
    await guard.judgeChanges(call, plan.changes)
    least = Math.min(least, performance.now() - began)
  }
  return least
}

console.log(`an edit of a 2,000-line file    ${(await time('fs-edit', { path: 'a.ts', old: 'value1000 ', new: 'other ' })).toFixed(1)} ms`)
for (const piece of ['some words; "and" + "strings" ', 'sk-', 'ghp_ AKIA eyJ ', 'eyJ', '%41%'])
  console.log(`1 MB of ${JSON.stringify(piece).padEnd(24)}${(await time('fs-write', { path: 'b.ts', content: piece.repeat(1_000_000 / piece.length) })).toFixed(0)} ms`)
