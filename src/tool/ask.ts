// ask: a question to the person.

import type { Prim } from './prim.ts'
import { ToolError } from './tool-error.ts'

export const ask: Prim = {
  name: 'ask',
  doc: 'Asks the person a question and waits for the answer. Use it where the task leaves open something that only they can decide.',
  readOnly: false,
  effect: 'none',
  params: [
    { name: 'question', type: 'string', role: 'plain', doc: 'The question, one or two sentences.' },
    { name: 'choices', type: 'list', role: 'plain', optional: true, doc: 'Answers to choose from; the person may give another.' },
  ],

  async run(args, context) {
    const question = args.get('question') as string
    if (question.trim() === '') throw new ToolError('contract', 'question is empty')
    const answer = await context.ask(question, (args.get('choices') as string[] | undefined) ?? [])
    return { text: answer, value: answer }
  },
}
