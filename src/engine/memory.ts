// How much memory JavaScript uses, where it can be asked: what bounds a program that would otherwise end
// the whole process.

interface HeapStatistics {
  used_heap_size: number
  external_memory: number
  heap_size_limit: number
}

/** Of the heap that JavaScript may use, what a program may fill: collecting garbage and a builtin's own
 * work need the rest. */
const SHARE = 0.6

const v8 = (globalThis.process as { getBuiltinModule?: (name: string) => { getHeapStatistics(): HeapStatistics } } | undefined)?.getBuiltinModule?.('node:v8')

/** Bytes in use, garbage that has not been collected yet included; 0 where that cannot be asked. */
export function usedMemory(): number {
  if (!v8) return 0
  const { used_heap_size: used, external_memory: external } = v8.getHeapStatistics()
  return used + external
}

/** The bytes that a program may use where its host says nothing. */
export const USUAL_MEMORY = v8 ? Math.floor(v8.getHeapStatistics().heap_size_limit * SHARE) : Infinity
