// Figures to one page that stands by itself: plots with a sentence each, then the table. What comes from logs is
// text in it, never markup.

import { DEFINITIONS, type Figures } from '../measure/figure.ts'
import type { Measured, Shape } from '../measure/tally.ts'
import { shownFigure, shownNumber } from './shown-figure.ts'
import { visible } from './visible.ts'

const WIDTH = 640
const HEIGHT = 220
const LEFT = 64
const BOTTOM = 30
/** Sessions that a plot can show side by side. */
const MOST_BARS = 60

export function measurePage(measured: Measured, shape: Shape): string {
  const { total, by_model: models } = measured
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>nodwyn measure</title>
<style>${STYLE}</style>
<main>
<h1>${total.requests.toLocaleString('en')} requests in ${shape.sessions.length.toLocaleString('en')} session${shape.sessions.length === 1 ? '' : 's'}</h1>
${prompts(shape)}
${failures(total)}
${loneReedits(total, shape)}
${cacheShare(models)}
${table(measured)}
</main>
</html>
`
}

function prompts({ prompts: means }: Shape): string {
  if (means.length === 0) return plot('Prompt tokens over requests', 'No replies in these logs.', '')
  const most = Math.max(...means, 1)
  const x = (i: number): number => LEFT + ((WIDTH - LEFT - 10) * i) / Math.max(1, means.length - 1)
  const y = (value: number): number => (HEIGHT - BOTTOM) * (1 - value / most) + 10 * (value / most)
  const points = means.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`)
  const line = means.length === 1 ? `<circle cx="${x(0)}" cy="${y(means[0]!)}" r="3" class="mark"/>` : `<polyline points="${points.join(' ')}" class="line"/>`
  const words = `A session's first request sends ${shownNumber(means[0]!, 'tokens')} prompt tokens in the mean; the largest mean is ${shownNumber(most, 'tokens')}, at request ${means.indexOf(most) + 1}.`
  return plot('Prompt tokens over requests', words, axes(most, 'tokens', `request 1 to ${means.length}`) + line)
}

function failures({ edit_failures: kinds, edit_failure_count: count, edit_failure_rate: rate, edit_calls: calls }: Figures): string {
  const rows = Object.entries(kinds).sort(([, a], [, b]) => b - a)
  const words = calls === 0 ? 'No edits in these logs.' : `${count} of ${calls} edit calls failed (${shownNumber(rate ?? 0, 'share')})${rows.length === 0 ? '' : `, most often as ${visible(rows[0]![0])}`}.`
  return plot('Failed edits by kind', words, rows.length === 0 ? '' : bars(rows.map(([kind, n]) => ({ label: kind, value: n, shown: String(n) }))))
}

function loneReedits({ lone_reedits: lone, lone_reedits_share: share }: Figures, { sessions }: Shape): string {
  const worst = [...sessions].sort((a, b) => b.lone - a.lone).slice(0, MOST_BARS).filter((one) => one.lone > 0)
  const more = sessions.filter((one) => one.lone > 0).length - worst.length
  const words = `${lone} replies only edit a file again that the reply before had edited (${shownNumber(share ?? 0, 'share')} of all)${more > 0 ? `; the ${MOST_BARS} sessions with the most` : ''}.`
  return plot('Lone re-edits by session', words, worst.length === 0 ? '' : bars(worst.map(({ session, lone: n, requests }) => ({ label: session, value: n, shown: `${n} of ${requests} replies` }))))
}

function cacheShare(models: Record<string, Figures>): string {
  const rows = Object.entries(models).flatMap(([model, { cached_share: share }]) => (share === null ? [] : [{ label: model, value: share, shown: shownNumber(share, 'share') }]))
  const silent = Object.keys(models).length - rows.length
  const words = rows.length === 0 ? 'No response reports cached tokens.' : `Of the prompt tokens of responses that report it, this share came from the cache${silent > 0 ? `; ${silent} model${silent === 1 ? ' does' : 's do'} not report it` : ''}.`
  return plot('Cache share by model', words, rows.length === 0 ? '' : bars(rows, 1))
}

function table({ total, by_model: models }: Measured): string {
  const names = Object.keys(models).length > 1 ? Object.keys(models) : []
  const head = ['', 'total', ...names.map(visible)].map((cell) => `<th scope="col">${escape(cell)}</th>`).join('')
  const rows = DEFINITIONS.map((definition) => {
    const cells = [total, ...names.map((name) => models[name]!)].map((figures) => `<td>${escape(shownFigure(definition, figures))}</td>`)
    return `<tr><th scope="row">${definition.name}<small>${escape(definition.definition)}</small></th>${cells.join('')}</tr>`
  })
  return `<section><h2>All figures</h2><div class="wide" tabindex="0" role="region" aria-label="All figures"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div></section>`
}

function plot(title: string, words: string, marks: string, height = HEIGHT): string {
  const svg = marks.startsWith('<svg') ? marks : marks === '' ? '' : `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escape(`${title}. ${words}`)}">${marks}</svg>`
  return `<section><h2>${title}</h2><p>${escape(words)}</p>${svg}</section>`
}

function axes(most: number, unit: 'tokens' | 'count', below: string): string {
  const bottom = HEIGHT - BOTTOM
  return `<line x1="${LEFT}" y1="${bottom}" x2="${WIDTH}" y2="${bottom}" class="axis"/><text x="${LEFT - 6}" y="16" class="end">${shownNumber(most, unit)}</text><text x="${LEFT - 6}" y="${bottom}" class="end">0</text><text x="${LEFT}" y="${HEIGHT - 8}">${escape(below)}</text>`
}

/** One row each: its name, a bar, and the figure. */
function bars(rows: { label: string; value: number; shown: string }[], most = Math.max(...rows.map(({ value }) => value))): string {
  const row = 24
  const start = 190
  const marks = rows.map(({ label, value, shown }, i) => {
    const width = Math.max(1, ((WIDTH - start - 120) * value) / most)
    const y = i * row
    return `<text x="${start - 8}" y="${y + 16}" class="end">${escape(short(visible(label)))}</text><rect x="${start}" y="${y + 5}" width="${width.toFixed(1)}" height="14" rx="2" class="mark"/><text x="${(start + width + 6).toFixed(1)}" y="${y + 16}">${escape(shown)}</text>`
  })
  const words = rows.map(({ label, shown }) => `${visible(label)} ${shown}`).join(', ')
  return `<svg viewBox="0 0 ${WIDTH} ${rows.length * row}" role="img" aria-label="${escape(words)}">${marks.join('')}</svg>`
}

function short(label: string): string {
  return label.length > 26 ? `${label.slice(0, 25)}…` : label
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

const STYLE = `
:root { color-scheme: light dark; --text: #1d2129; --dim: #5b6270; --line: #d9dce2; --page: #fff; --mark: #2a62b8 }
@media (prefers-color-scheme: dark) { :root { --text: #e4e6ea; --dim: #a0a7b4; --line: #373c46; --page: #15181d; --mark: #7fb0ff } }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif }
main { max-width: 880px; margin: 0 auto; padding: 24px 20px 64px }
h1 { font-size: 22px; margin: 8px 0 24px } h2 { font-size: 16px; margin: 32px 0 4px } p { margin: 0 0 10px; color: var(--dim); max-width: 640px }
svg { width: 100%; max-width: 640px; height: auto; display: block; font: 12px system-ui, sans-serif } svg text { fill: var(--dim); font-variant-numeric: tabular-nums } .end { text-anchor: end }
.axis { stroke: var(--line) } .line { fill: none; stroke: var(--mark); stroke-width: 2 } .mark { fill: var(--mark) }
.wide { overflow-x: auto } table { border-collapse: collapse; width: 100% } th, td { text-align: right; padding: 5px 8px; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; font-weight: 400; vertical-align: top }
th:first-child { text-align: left } thead th { font-weight: 600 } small { display: block; color: var(--dim); font-size: 12px; max-width: 420px }
`
