import { expect, it } from 'vitest'
import { judgeLanguage } from './judge-language.ts'

const messages = (path: string, text: string) => judgeLanguage([{ path, text }]).map(({ message }) => message)

it.each([
  ['a comment', 'server/src/lib/a.ts', '// Whoever left finds nothing to stop.'],
  ['an error', 'server/src/domain/a.ts', "throw new Error('Nobody has an account as that.')"],
  ['a document', 'docs/api.md', 'The image can not be kept.'],
  ['a recipe', 'docs/recipes/a.md', 'Somebody must say who may call it.'],
  ['a document at the root', 'README.md', 'The number of a claim.'],
])('finds words without an actor in %s', (_, path, text) => {
  expect(messages(path, text)).toHaveLength(1)
})

it('says what to write instead', () => {
  expect(messages('README.md', 'It can not.')).toEqual(['"can not": write "cannot"'])
})

it.each([
  ['a value of the code', 'server/src/domain/a.ts', "within: 'nobody'"],
  ['a line with a reason', 'server/src/domain/a.ts', '// allowed: words of an attack\nconst pattern = /somebody/'],
  ['a test', 'server/src/lib/a.test.ts', '// whoever'],
])('leaves %s alone', (_, path, text) => {
  expect(messages(path, text)).toEqual([])
})
