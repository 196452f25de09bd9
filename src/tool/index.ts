// The table of all tools, one line each. Its order is the order in which a model sees them.

import { ask } from './ask.ts'
import { fsEdit } from './edit.ts'
import { exec } from './exec.ts'
import { netFetch } from './fetch.ts'
import { fsFind } from './find.ts'
import { gitDiff, gitStatus } from './git.ts'
import { gitBranch, gitCommit, gitPush } from './git-change.ts'
import { gitBlame, gitLog, gitShow } from './git-history.ts'
import { indexGrep } from './grep.ts'
import { fsList } from './list.ts'
import { fsMove } from './move.ts'
import { outline } from './outline.ts'
import type { Prim } from './prim.ts'
import { fsRead } from './read.ts'
import { fsRemove } from './remove.ts'
import { toolSchema, type ToolSchema } from './schema.ts'
import { fsUndo } from './undo.ts'
import { fsWrite } from './write.ts'

export const prims: readonly Prim[] = [
  fsRead,
  fsList,
  fsFind,
  indexGrep,
  outline,
  gitStatus,
  gitDiff,
  gitLog,
  gitShow,
  gitBlame,
  fsWrite,
  fsEdit,
  fsMove,
  fsRemove,
  fsUndo,
  exec,
  gitCommit,
  gitBranch,
  gitPush,
  netFetch,
  ask,
]

/** What a model is given, the same in every request of a session. */
export const toolList: readonly ToolSchema[] = prims.map(toolSchema)

const byName = new Map(prims.map((prim) => [prim.name, prim]))

export function findPrim(name: string): Prim | undefined {
  return byName.get(name)
}
