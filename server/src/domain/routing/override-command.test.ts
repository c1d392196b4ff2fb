import { expect, it } from 'vitest'
import { overrideCommand, quoted } from './override-command.ts'

it('is one line for a shell', () => {
  expect(overrideCommand({ account: 'groq', model: 'qwen/qwen3-32b', option: 'leave-out', value: 'seed' })).toBe(
    'weir provider override groq --model qwen/qwen3-32b --leave-out seed',
  )
})

it.each([
  ['a b', "'a b'"],
  ["it's", String.raw`'it'\''s'`],
  ['$HOME', "'$HOME'"],
  ['', "''"],
])('quotes what a shell would read otherwise: %s', (text, word) => {
  expect(quoted(text)).toBe(word)
})
