// Makes dist/: the engine's own Scheme compiled to JavaScript, and the program and libraries bundled by esbuild.
// Run by `npm run build`, before the tests, and after an install.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { imageModule } from './src/engine/image.ts'

await compileScheme('prelude')
await compileScheme('srfi')
await rm('dist', { recursive: true, force: true })
await mkdir('dist', { recursive: true })
await build({
  entryPoints: { main: 'src/main.ts', index: 'src/index.ts', scheme: 'src/engine/index.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  sourcemap: true,
  minifySyntax: true,
  minifyWhitespace: true,
  chunkNames: 'chunk/[name]-[hash]',
  // Of chevrotain the reader needs the lexer alone, which loads in half the time of the whole.
  alias: { chevrotain: './src/engine/chevrotain-lexer.js' },
  external: await packages({ except: ['chevrotain'] }),
  logLevel: 'warning',
})

/** What the engine has in Scheme is compiled by the engine itself, without it. */
async function compileScheme(name: string): Promise<void> {
  const { Runtime } = await import('./src/engine/runtime.ts')
  const text = await readFile(`scheme/${name}.scm`, 'utf8')
  const { code, docs } = new Runtime({}).compileImage(text)
  await writeFile(`src/engine/${name}.js`, imageModule(name, code, text, docs))
}

async function packages({ except }: { except: string[] }): Promise<string[]> {
  const { dependencies } = JSON.parse(await readFile('package.json', 'utf8')) as { dependencies: Record<string, string> }
  return Object.keys(dependencies)
    .filter((name) => !except.includes(name))
    .flatMap((name) => [name, `${name}/*`])
}
