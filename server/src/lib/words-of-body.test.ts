import { expect, it } from 'vitest'
import { wordsOfBody } from './words-of-body.ts'

it.each([
  ['boom in the vendor\n', 'boom in the vendor'],
  ['{"error":{"text":"No \\"old\\" lights","code":7,"more":["a",null]}}', 'No "old" lights a'],
  ['<html><h1>502 Bad Gateway</h1>\n<hr>nginx</html>', '502 Bad Gateway nginx'],
  ['{"cut off', '{"cut off'],
  ['', ''],
])('says what %j says', (body, words) => {
  expect(wordsOfBody(body)).toBe(words)
})

it('reads so much of it and no more', () => {
  expect(wordsOfBody('x'.repeat(9_000))).toHaveLength(4_000)
})
