// A call about to happen to a verdict. Changes nothing and asks no one.

import type { Arguments, Change, Prim } from '../tool/prim.ts'
import type { Workspace } from '../tool/workspace.ts'
import type { Binding } from './binding.ts'
import type { ProtectedState } from './protected-state.ts'
import type { Judgement } from './verdict.ts'

/** A call, bound and about to happen. */
export interface GuardedCall {
  prim: Prim
  args: Arguments
  caller: 'model' | 'person' | 'strategy'
  /** Labels that hold for the whole call: the context's (a model's call), the fiber's. */
  labels: ReadonlySet<string>
  /** Labels of single arguments and of places inside them: `path`, `edits[1].new`, `edits`. */
  argumentLabels: ReadonlyMap<string, ReadonlySet<string>>
}

/** What a person or a program granted beforehand, and forbids. Never read from the workspace. */
export interface Policy {
  attended: boolean
  grants: Grant[]
  /** Path globs, hosts and command names that nothing touches. */
  denylist: string[]
  /** The person's own protected paths, with the verdict that touching one gets. */
  /** Hosts that may be reached without a question; no other may be reached at all. Absent: each is asked about. */
  net?: string[]
  protect: { glob: string; verdict: 'confirm' | 'security confirm' | 'deny' }[]
}

/** A standing approval. It answers an ordinary confirm and nothing higher. `bound`: the files that say what
 * a command does, as they were when it was approved; a guard binds one that comes without. */
export type Grant =
  | { kind: 'write'; tool: string; path: string } // tool may end in *; path is a glob anchored at the root
  | { kind: 'exec'; argv: string[]; bound?: Binding } // program and first arguments
  | { kind: 'network'; tool: string; host: string; query?: boolean } // *.HOST is what is below it; query false: none
  | { kind: 'tool'; tool: string } // any call of a tool that a server offers
  | { kind: 'exact'; tool: string; arguments: string; bound?: Binding } // the arguments as canonical JSON

export interface Guard {
  /** Before anything is read: paths, commands, payloads, labels. */
  judgeCall(call: GuardedCall): Promise<Judgement>
  /** What a plan would write. The call's verdict is the highest of both. */
  judgeChanges(call: GuardedCall, changes: Change[]): Promise<Judgement>
  /** The protected files as they are; compared after a program ran. */
  protectedState(): Promise<ProtectedState>
  /** Whether this file may be read without a question, whoever reads it. */
  mayRead(path: string): Promise<boolean>
  /** The labels that reading this file gives (protected secrets, files written under labels). */
  labelsOf(path: string): Promise<string[]>
  /** The labels that this object of git was made under: a commit, or a file's content. */
  labelsOfObject(id: string): string[]
  /** Remembers the values of a text that was read under labels, so that they are known where they turn up. */
  rememberRead(text: string, labels: Iterable<string>): void
  /** Remembers that these changes were written under these labels. */
  recordLabels(changes: Change[], labels: ReadonlySet<string>): Promise<void>
  /** Likewise, of objects of git. */
  recordObjects(ids: string[], labels: ReadonlySet<string>): Promise<void>
}

export interface GuardOptions {
  workspace: Workspace
  policy: Policy
  /** Folders of the program itself (configuration, approvals, versions): denied. The first one, its state
   * folder, also keeps what was written under which labels; with none that lasts as long as the guard. */
  ownFolders: string[]
}
