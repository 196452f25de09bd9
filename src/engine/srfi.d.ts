// Types of srfi.js, which build.ts makes from scheme/srfi.scm.

import type { PackedConstant } from './image.ts'
import type { Procedure } from './value.ts'

export const constants: PackedConstant[]
export const source: string
export const docs: Record<string, { usage: string; doc: string }>
export function make(...parameters: unknown[]): Procedure
