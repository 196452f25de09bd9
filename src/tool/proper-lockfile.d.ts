// What is used of proper-lockfile, which brings no types.

declare module 'proper-lockfile' {
  export function lock(
    file: string,
    options?: {
      realpath?: boolean
      stale?: number
      retries?: { retries: number; factor: number; minTimeout: number; maxTimeout: number }
      onCompromised?: (error: Error) => void
    },
  ): Promise<() => Promise<void>>
}
