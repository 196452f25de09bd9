// JSON text to values and back, and values to Scheme data and back.

import type { Flonum } from '../engine/value.ts'

/** A JSON value. An exact integer is a number or, beyond the safe integers, a bigint; any other number
 * is a Flonum (1.0 and 1e3 too: what the text wrote as no integer is inexact). An object keeps its
 * keys' order. */
export type Json = null | boolean | number | bigint | Flonum | string | Json[] | JsonObject
export type JsonObject = Map<string, Json>
