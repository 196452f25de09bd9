// What the program's exit says, the same for every command.

export const EXIT = { done: 0, failed: 1, usage: 2, refused: 3, interrupted: 130 } as const

/** The exit code for an outcome that is no success. */
export function exitOf(kind: 'misuse' | 'refused' | 'failed' | 'stopped'): number {
  return { misuse: EXIT.usage, refused: EXIT.refused, failed: EXIT.failed, stopped: EXIT.interrupted }[kind]
}
