// One program at a time for a thing on the disk: a file that says who has it. What a killed program left is
// taken over.

import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { ToolError } from '../tool/tool-error.ts'

interface Holder {
  pid: number
  /** When that process began, so that another one with its number is told apart; "" where it cannot be known. */
  began: string
  host: string
}

/** Throws ToolError where another program, or this one, has it already; returns what gives it up. */
export function holdAlone(file: string, what: string): () => void {
  const part = `${file}.${process.pid}`
  writeFileSync(part, JSON.stringify({ pid: process.pid, began: beginOf(process.pid), host: hostname() }), { mode: 0o600 })
  try {
    for (;;) {
      try {
        linkSync(part, file)
        return () => rmSync(file, { force: true })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const holder = readHolder(file)
      if (holder && isThere(holder))
        throw new ToolError('other', `${what} is open in another program (process ${holder.pid} on ${holder.host})`, { help: `end that one first; if it is none of nodwyn's, remove ${file}` })
      claim(file, `${part}.left`)
    }
  } finally {
    unlinkSync(part)
  }
}

/** Frees what nobody holds. Of several that try, one does; a hold that somebody took meanwhile is put back. */
function claim(file: string, claimed: string): void {
  try {
    renameSync(file, claimed)
  } catch {
    return
  }
  const holder = readHolder(claimed)
  if (holder && isThere(holder)) renameSync(claimed, file)
  else unlinkSync(claimed)
}

function readHolder(file: string): Holder | null {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder>
    return typeof holder.pid === 'number' ? { pid: holder.pid, began: holder.began ?? '', host: holder.host ?? '' } : null
  } catch {
    return null
  }
}

/** Of a process on another machine nobody can tell: it counts as there. */
function isThere({ pid, began, host }: Holder): boolean {
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return began === beginOf(pid)
}

/** The process's start in clock ticks since the machine's, where /proc tells it. */
function beginOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
