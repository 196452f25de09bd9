// What the guard answers.

/** From lowest to highest: ORDER of verdicts. */
export const VERDICTS = ['allow', 'confirm', 'security confirm', 'deny'] as const
export type Verdict = (typeof VERDICTS)[number]

/** One reason. `argument` names what it is about as a caller would write it: `path`, `edits[1].new`. */
export interface Finding {
  rule: string
  verdict: Verdict
  role: string | null
  argument: string | null
  /** One sentence that a person understands, lowercase, without full stop. */
  reason: string
}

export interface Judgement {
  verdict: Verdict
  findings: Finding[]
}

export function highest(verdicts: Iterable<Verdict>): Verdict {
  let rank = 0
  for (const verdict of verdicts) rank = Math.max(rank, VERDICTS.indexOf(verdict))
  return VERDICTS[rank]!
}
