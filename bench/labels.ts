// What labels cost a program that has none: the programs of bench/program on this engine, and on a copy of
// it in which every question for labels is answered no when it is built. `node bench/labels.ts [--only fib]`.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

const HERE = import.meta.dirname
const folder = mkdtempSync(join(tmpdir(), 'nodwyn-bench-'))
const withLabels = join(folder, 'with-labels.js')
const without = join(folder, 'without-labels.js')

try {
  await make(withLabels, (text) => text)
  await make(without, withoutLabels)
  const { status } = spawnSync(process.execPath, [join(HERE, 'run.ts'), '--against', 'none', '--ours', withLabels, '--engine', without, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function make(outfile: string, change: (text: string) => string): Promise<void> {
  await build({
    entryPoints: [resolve(HERE, '../src/engine/index.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    logLevel: 'warning',
    alias: { chevrotain: resolve(HERE, '../src/engine/chevrotain-lexer.js') },
    plugins: [
      {
        name: 'change',
        setup: (plugins) => plugins.onLoad({ filter: /src\/engine\/[\w-]+\.(ts|js)$/ }, ({ path }) => ({ contents: change(readFileSync(path, 'utf8')), loader: path.endsWith('.ts') ? 'ts' : 'js' })),
      },
    ],
  })
}

function withoutLabels(text: string): string {
  return text.replace(/\blabelling\.on(?! =)/g, 'false').replace(/\bL\.on\b/g, 'false')
}
