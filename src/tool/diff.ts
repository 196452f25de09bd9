// A change's bytes to a unified diff, made from what will be written. Bounded in time: where the exact
// diff takes too long, one block from the first to the last difference stands for it and says so.

import { isMoved, isSame, type Change } from './change.ts'

const TIMEOUT_MS = 1000
const CONTEXT = 3

/** The diff of all changes of a plan. Content that only moves is shown as moved, not twice. */
export async function diffOf(changes: readonly Change[]): Promise<string> {
  const diffs: string[] = []
  const shown = new Set<Change>()
  for (const change of changes) {
    if (shown.has(change)) continue
    const source = isMoved(change, changes) && change.before === null && changes.find((other) => !shown.has(other) && other.after === null && other.before !== null && isSame(other.before, change.after!))
    if (!source) {
      diffs.push(await unifiedDiff(change))
      continue
    }
    shown.add(source)
    diffs.push(`--- a/${source.given}\n+++ b/${change.given}\nmoved, ${change.after!.length === 1 ? '1 byte' : `${change.after!.length} bytes`} unchanged\n`)
  }
  return diffs.join('')
}

/** The diff of a change, with `a/` and `b/` before its path; "" where nothing changes. */
export async function unifiedDiff({ given, kind = 'file', before, after }: Change): Promise<string> {
  if (kind === 'folder') return `${before === null ? '+++ b' : '--- a'}/${given}/\n`
  if (kind === 'link') return linkDiff(given, before, after)
  const oldName = before === null ? '/dev/null' : `a/${given}`
  const newName = after === null ? '/dev/null' : `b/${given}`
  const head = `--- ${oldName}\n+++ ${newName}\n`
  const [old, now] = [textOf(before), textOf(after)]
  if (old === null || now === null) return `${head}Binary: ${size(before)} before, ${size(after)} after\n`
  if (old === now) return before === null || after === null ? head : ''
  const { structuredPatch } = await import('diff')
  const patch = structuredPatch('', '', old, now, undefined, undefined, { context: CONTEXT, timeout: TIMEOUT_MS })
  if (!patch) return head + coarse(old, now)
  const hunks = patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@\n${lines.join('\n')}\n`)
  return head + hunks.join('')
}

function linkDiff(given: string, before: Uint8Array | null, after: Uint8Array | null): string {
  const side = (mark: string, bytes: Uint8Array | null) => (bytes === null ? '' : `${mark}link to ${new TextDecoder().decode(bytes)}\n`)
  return `--- ${before === null ? '/dev/null' : `a/${given}`}\n+++ ${after === null ? '/dev/null' : `b/${given}`}\n${side('-', before)}${side('+', after)}`
}

/** An empty range names the line before it. */
function range(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`
}

/** Null for bytes that are no text. */
function textOf(bytes: Uint8Array | null): string | null {
  if (bytes === null) return ''
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function size(bytes: Uint8Array | null): string {
  return bytes === null ? 'no file' : `${bytes.length} bytes`
}

function coarse(old: string, now: string): string {
  const a = old.split('\n')
  const b = now.split('\n')
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const removed = a.slice(start, a.length - end)
  const added = b.slice(start, b.length - end)
  return [
    `@@ -${start + 1},${removed.length} +${start + 1},${added.length} @@ the exact difference takes too long: all lines from the first to the last change`,
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    '',
  ].join('\n')
}
