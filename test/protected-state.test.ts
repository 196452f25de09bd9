// What a program changed of the protected files is told after it ran, to the person and to the model.

import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { play } from './help.ts'

process.env['NODWYN_SANDBOX'] = 'off'

it('names the protected files that a program changed, those that git keeps or ignores too', async () => {
  const { session, root, events } = await play({ '.gitignore': '.env\n', '.env': 'A=1\n', 'src/.vscode/x.json': '{}', 'a.txt': 'a', 'x.sh': 'echo A=2 > .env; echo x > .git/hooks/pre-commit; rm -r src/.vscode; echo y > .envrc\n' }, [], { answers: [true, true] })
  execFileSync('git', ['-C', root, 'init', '-q'])
  const run = async (command: string) => {
    const outcome = await session.callAsModel('exec', JSON.stringify({ command }))
    return outcome.ok ? outcome.text : outcome.message
  }
  expect(await run('echo b > a.txt')).toBe('exit code 0, no output\nfiles changed: a.txt')
  const said = await run('sh x.sh')
  expect(said.split('\n').slice(-2)).toEqual(['files changed: .envrc, src/.vscode/x.json', 'protected files changed: .env, .envrc, .git/hooks/pre-commit, src/.vscode/x.json'])
  expect(events.flatMap((event) => (event.type === 'note' && event.level === 'warning' ? [event.text] : []))).toEqual(['exec changed what is protected: .env, .envrc, .git/hooks/pre-commit, src/.vscode/x.json'])
})

it('a content that was written under labels keeps them in git', async () => {
  const { session, root } = await play({}, [], { answers: [true, true, true, true] })
  execFileSync('git', ['-C', root, 'init', '-q', '-b', 'main'])
  for (const [key, value] of [['user.name', 'n'], ['user.email', 'e']]) execFileSync('git', ['-C', root, 'config', key!, value!])
  await session.callAsModel('fs-write', JSON.stringify({ path: '.env', content: 'A=1\n' }))
  await session.callAsModel('fs-move', JSON.stringify({ from: '.env', to: 'x.txt' }))
  await session.callAsModel('git-commit', JSON.stringify({ message: 'w', path: 'x.txt' }))
  execFileSync('git', ['-C', root, 'mv', 'x.txt', 'y.txt'])
  execFileSync('git', ['-C', root, 'commit', '-qm', 'moved'])
  const { labels } = await session.callAsModel('git-show', JSON.stringify({ rev: 'HEAD', path: 'y.txt' }))
  expect(labels).toEqual(['secret:.env'])
})
