// The figures by name, with their definitions: what is measured, printed and explained comes from here.

export interface Definition {
  name: FigureName
  definition: string
  /** How a person reads it. */
  unit: 'count' | 'tokens' | 'ms' | 'share' | 'money'
  /** Whether more of it is the better, the worse, or neither. */
  better: 'more' | 'less' | null
  /** Of a share: what over what. */
  of?: [part: FigureName, whole: FigureName]
}

/** What a log, or a part of it, comes to. Null: nothing in it reports that. Milliseconds; tokens; shares from 0 to 1. */
export interface Figures {
  requests: number
  requests_main: number
  prompt_tokens: number
  cached_tokens: number | null
  cached_share: number | null
  /** Of the responses that report cached tokens. */
  reporting_prompt_tokens: number | null
  prompt_eval_ms: number | null
  replies_with_calls: number
  replies_2plus: number
  replies_2to6: number
  replies_2to6_share: number | null
  edit_calls: number
  edit_files: number
  reedits: number
  reedits_share: number | null
  same_file_replies: number
  two_file_replies: number
  lone_reedits: number
  lone_reedits_share: number | null
  lone_reedit_prompt_tokens: Spread | null
  edit_failures: Record<string, number>
  edit_failure_count: number
  edit_failure_rate: number | null
  list_edit_failures: number
  resent_edits: number
  list_calls: number
  edits_per_list_call: { median: number; max: number } | null
  resolved: number | null
  wall_ms: number
  tool_ms: number
  model_ms: number
  cost: number | null
}

export interface Spread {
  median: number
  p10: number
  p90: number
  sum: number
}

export type FigureName = keyof Figures

export const DEFINITIONS: readonly Definition[] = [
  { name: 'requests', unit: 'count', better: 'less', definition: 'llm.resp events' },
  { name: 'requests_main', unit: 'count', better: 'less', definition: 'those whose ctx is main' },
  { name: 'prompt_tokens', unit: 'tokens', better: 'less', definition: 'sum of usage.prompt_tokens over llm.resp' },
  { name: 'cached_tokens', unit: 'tokens', better: 'more', definition: 'sum of usage.cached_tokens; null where no response reports them' },
  { name: 'cached_share', unit: 'share', better: 'more', definition: 'cached over prompt tokens of the responses that report cached tokens', of: ['cached_tokens', 'reporting_prompt_tokens'] },
  { name: 'reporting_prompt_tokens', unit: 'tokens', better: null, definition: 'prompt tokens of the responses that report cached tokens' },
  { name: 'prompt_eval_ms', unit: 'ms', better: 'less', definition: 'sum of prompt_eval_ms; null where no response reports it' },
  { name: 'replies_with_calls', unit: 'count', better: null, definition: 'replies with one call or more' },
  { name: 'replies_2plus', unit: 'count', better: null, definition: 'replies with two calls or more' },
  { name: 'replies_2to6', unit: 'count', better: null, definition: 'replies with two to six calls' },
  { name: 'replies_2to6_share', unit: 'share', better: null, definition: 'those over all replies', of: ['replies_2to6', 'requests'] },
  { name: 'edit_calls', unit: 'count', better: null, definition: 'fs-edit calls in replies' },
  { name: 'edit_files', unit: 'count', better: null, definition: 'distinct pairs of a session and a path that fs-edit was called on' },
  { name: 'reedits', unit: 'count', better: 'less', definition: 'fs-edit calls on a path that the session had already called fs-edit on' },
  { name: 'reedits_share', unit: 'share', better: 'less', definition: 'those over edit_calls', of: ['reedits', 'edit_calls'] },
  { name: 'same_file_replies', unit: 'count', better: 'less', definition: 'replies with two or more fs-edit calls on one path' },
  { name: 'two_file_replies', unit: 'count', better: null, definition: 'replies with fs-edit calls on two or more paths' },
  { name: 'lone_reedits', unit: 'count', better: 'less', definition: 'replies whose only call is an fs-edit of a file that the previous reply in the same context called fs-edit on' },
  { name: 'lone_reedits_share', unit: 'share', better: 'less', definition: 'those over all replies', of: ['lone_reedits', 'requests'] },
  { name: 'lone_reedit_prompt_tokens', unit: 'tokens', better: 'less', definition: 'their prompt tokens: median, tenth and ninetieth percentile (linear, type 7), sum' },
  { name: 'edit_failures', unit: 'count', better: 'less', definition: 'fs-edit calls whose result is not ok, by the kind of the error' },
  { name: 'edit_failure_count', unit: 'count', better: 'less', definition: 'all of them' },
  { name: 'edit_failure_rate', unit: 'share', better: 'less', definition: 'those over edit_calls', of: ['edit_failure_count', 'edit_calls'] },
  { name: 'list_edit_failures', unit: 'count', better: 'less', definition: 'those of them that name an edit of a list ("edit 2 of 3")' },
  { name: 'resent_edits', unit: 'count', better: 'less', definition: 'edits of a failed list call, other than the failing one, that the next reply in that context with fs-edit calls on that path sent again' },
  { name: 'list_calls', unit: 'count', better: null, definition: 'fs-edit calls with edits' },
  { name: 'edits_per_list_call', unit: 'count', better: null, definition: 'how many edits such a call has: median and maximum' },
  { name: 'resolved', unit: 'count', better: 'more', definition: 'instances in resolved_ids of the report given with --resolved; null without one' },
  { name: 'wall_ms', unit: 'ms', better: 'less', definition: 'from the first to the last event of each session, summed' },
  { name: 'tool_ms', unit: 'ms', better: 'less', definition: 'sum of ms over tool.result' },
  { name: 'model_ms', unit: 'ms', better: 'less', definition: 'from each llm.req to its llm.resp, summed' },
  { name: 'cost', unit: 'money', better: 'less', definition: 'sum of totals.cost over session.end; null where none reports it' },
]
