// The reference page is what the docstrings say.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { referencePage } from '../docs/make-reference.ts'

test('docs/reference.md is up to date (npm run reference)', () => {
  expect(readFileSync(new URL('../docs/reference.md', import.meta.url), 'utf8')).toBe(referencePage())
})
