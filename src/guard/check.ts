// What every check is given, and the words it answers in.

import type { Change } from '../tool/prim.ts'
import type { Workspace } from '../tool/workspace.ts'
import type { GuardedCall, Policy } from './guard.ts'
import type { KnownValues } from './known-value.ts'
import type { LabelStore } from './label-store.ts'
import type { RoleUse } from './role.ts'
import type { Finding, Verdict } from './verdict.ts'

/** A call being judged. */
export interface Judging {
  call: GuardedCall
  uses: RoleUse[]
  workspace: Workspace
  policy: Policy
  /** Real paths of the program's own folders. */
  own: readonly string[]
  labels: LabelStore
  known: KnownValues
}

/** Judges one argument of a call. What it throws is a security confirm. */
export type Check = (use: RoleUse, judging: Judging) => Finding[] | Promise<Finding[]>

/** Judges one file that a plan would change. */
export type ChangeCheck = (change: Change, judging: Judging) => Finding[] | Promise<Finding[]>

export function finding(rule: string, verdict: Verdict, use: Pick<RoleUse, 'role' | 'argument'> | null, reason: string): Finding {
  return { rule, verdict, role: use?.role ?? null, argument: use?.argument ?? null, reason }
}

/** Whether a path argument of this call may end up changed. */
export function changesFiles({ prim }: GuardedCall): boolean {
  return prim.effect !== 'read' && prim.effect !== 'none' && prim.effect !== 'history'
}

/** What a value looks like in a reason: short, with nothing that hides. */
export function shown(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`)
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain
}
