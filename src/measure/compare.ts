// Two runs over the same instances to their differences, each with how far chance alone could move it.

import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { DEFINITIONS, type Definition, type FigureName, type Figures } from './figure.ts'
import { percentile } from './percentile.ts'
import type { Measured } from './tally.ts'

/** A figure in both runs. `interval`: 95%, of the difference; null where it cannot be told. */
export interface Difference {
  name: FigureName
  value: number | null
  against: number | null
  difference: number | null
  interval: [low: number, high: number] | null
  words: string
}

export interface Comparison {
  /** Those in both runs; only they are compared. */
  instances: string[]
  /** Those in one run alone. */
  unpaired: string[]
  total: Difference[]
  by_instance: Record<string, Pick<Difference, 'name' | 'value' | 'against' | 'difference'>[]>
  resolved: Resolved | null
}

export interface Resolved {
  value: number
  against: number
  of: number
  /** Instances that only the one run, and only the other, resolved. */
  only: number
  only_against: number
  /** Two-sided, of McNemar's exact test. */
  p: number
  words: string
}

const DRAWS = 10_000
const SEED = 38
const NOISE = 0.05

/** `solved` and `solvedAgainst`: the resolved instances of each run; null where one has no report. */
export function compare(run: Measured, against: Measured, solved: ReadonlySet<string> | null, solvedAgainst: ReadonlySet<string> | null): Comparison {
  const names = Object.keys(run.by_instance)
  const instances = names.filter((name) => Object.hasOwn(against.by_instance, name))
  const unpaired = [...names, ...Object.keys(against.by_instance)].filter((name) => !instances.includes(name))
  const pairs = instances.map((name) => [run.by_instance[name]!, against.by_instance[name]!] as const)
  const defined = DEFINITIONS.filter(({ name }) => name !== 'resolved' && pairs.some(([one, other]) => isNumber(one[name]) || isNumber(other[name])))
  const draws = drawsOf(pairs.length)
  return {
    instances,
    unpaired,
    total: defined.map((definition) => differenceOf(definition, pairs, draws)),
    by_instance: Object.fromEntries(
      instances.map((name, i) => [
        name,
        defined.map(({ name: figure }) => {
          const [value, other] = pairs[i]!.map((figures) => numberOf(figures[figure])) as [number | null, number | null]
          return { name: figure, value, against: other, difference: value === null || other === null ? null : value - other }
        }),
      ]),
    ),
    resolved: solved && solvedAgainst ? resolvedOf(instances, solved, solvedAgainst) : null,
  }
}

/** Each draw: an index of an instance for each instance, with replacement; the same for all figures. */
function drawsOf(n: number): Uint32Array[] {
  if (n === 0) return []
  const random = xoroshiro128plus(SEED)
  return Array.from({ length: DRAWS }, () => Uint32Array.from({ length: n }, () => uniformInt(random, 0, n - 1)))
}

type Pair = readonly [Figures, Figures]

/** Paired bootstrap over instances, percentile interval (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993,
 * chapter 13). A share is drawn as the sum of its parts over the sum of its wholes. */
function differenceOf({ name, unit, of, better }: Definition, pairs: readonly Pair[], draws: readonly Uint32Array[]): Difference {
  const [part, whole] = of ?? [name, null]
  const columns = [0, 1].map((side) => ({ part: pairs.map((pair) => numberOf(pair[side as 0 | 1][part]) ?? 0), whole: whole === null ? null : pairs.map((pair) => numberOf(pair[side as 0 | 1][whole]) ?? 0) }))
  const at = (side: 0 | 1, indices: ArrayLike<number>): number => {
    const { part: parts, whole: wholes } = columns[side]!
    let sum = 0
    let over = 0
    for (let i = 0; i < indices.length; i++) {
      sum += parts[indices[i]!]!
      if (wholes) over += wholes[indices[i]!]!
    }
    return wholes ? sum / over : sum
  }
  const everyone = Uint32Array.from(pairs, (_, i) => i)
  const [value, against] = [finite(at(0, everyone)), finite(at(1, everyone))]
  const difference = value === null || against === null ? null : value - against
  const drawn = Float64Array.from(draws, (indices) => at(0, indices) - at(1, indices)).filter(Number.isFinite).sort()
  const interval: Difference['interval'] = difference === null || pairs.length < 2 || drawn.length < DRAWS / 2 ? null : [percentile(drawn, 0.025), percentile(drawn, 0.975)]
  return { name, value, against, difference, interval, words: wordsOf(difference, interval, better, unit) }
}

function wordsOf(difference: number | null, interval: Difference['interval'], better: Definition['better'], _unit: Definition['unit']): string {
  if (difference === null) return 'not in both runs'
  if (interval === null) return 'too few instances to tell'
  const [low, high] = interval
  if (low <= 0 && high >= 0) return 'no evidence of a difference'
  const direction = difference < 0 ? 'less' : 'more'
  return better === null ? direction : `${direction}, ${direction === better ? 'better' : 'worse'}`
}

function resolvedOf(instances: readonly string[], solved: ReadonlySet<string>, solvedAgainst: ReadonlySet<string>): Resolved {
  const value = instances.filter((name) => solved.has(name)).length
  const against = instances.filter((name) => solvedAgainst.has(name)).length
  const only = instances.filter((name) => solved.has(name) && !solvedAgainst.has(name)).length
  const onlyAgainst = instances.filter((name) => !solved.has(name) && solvedAgainst.has(name)).length
  const p = mcnemar(only, onlyAgainst)
  const of = instances.length
  const verdict = p >= NOISE ? 'no evidence of a difference' : `a difference beyond noise (p = ${p.toPrecision(2)})`
  return { value, against, of, only, only_against: onlyAgainst, p, words: `${value} of ${of} against ${against} of ${of}: ${verdict}` }
}

/** The two-sided p-value of McNemar's exact conditional test, for `b` pairs where only the one succeeds and `c` where only
 * the other does: twice the smaller tail of the binomial with n = b + c and one half, at most 1. */
export function mcnemar(b: number, c: number): number {
  const n = b + c
  let tail = 0
  for (let k = 0; k <= Math.min(b, c); k++) tail += Math.exp(logChoose(n, k) - n * Math.LN2)
  return Math.min(1, 2 * tail)
}

function logChoose(n: number, k: number): number {
  let sum = 0
  for (let i = 1; i <= k; i++) sum += Math.log((n - k + i) / i)
  return sum
}

function numberOf(value: Figures[FigureName]): number | null {
  if (typeof value === 'number') return value
  return value !== null && 'sum' in value && typeof value.sum === 'number' ? value.sum : null
}

function isNumber(value: Figures[FigureName]): boolean {
  return typeof value === 'number' || (value !== null && typeof value === 'object' && 'sum' in value)
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
