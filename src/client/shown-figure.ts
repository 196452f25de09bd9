// A figure to the words that a person reads, in tables and on pages.

import type { Definition, Figures } from '../measure/figure.ts'
import { visible } from './visible.ts'

/** A figure as a person reads it; "-" for one that nothing reports. */
export function shownFigure({ name, unit }: Definition, figures: Figures): string {
  const value = figures[name]
  if (value === null) return '-'
  if (typeof value === 'number') return shownNumber(value, unit)
  if ('max' in value) return `${shownNumber(value.median as number, 'count')}, at most ${value.max}`
  if (name === 'lone_reedit_prompt_tokens') {
    const { median, p10, p90, sum } = value as { median: number; p10: number; p90: number; sum: number }
    return `median ${shownNumber(median, unit)} (${shownNumber(p10, unit)} to ${shownNumber(p90, unit)}), sum ${shownNumber(sum, unit)}`
  }
  const kinds = Object.entries(value as Record<string, number>)
  return kinds.length === 0 ? 'none' : kinds.map(([kind, n]) => `${visible(kind)} ${n}`).join(', ')
}

export function shownNumber(value: number, unit: Definition['unit']): string {
  if (unit === 'share') return `${(100 * value).toFixed(1)}%`
  if (unit === 'ms') return `${(value / 1000).toLocaleString('en', { maximumFractionDigits: 1 })} s`
  if (unit === 'money') return value.toFixed(2)
  return value.toLocaleString('en', { maximumFractionDigits: 1 })
}
