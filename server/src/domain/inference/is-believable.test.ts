import { expect, it } from 'vitest'
import { isBelievable } from './is-believable.ts'
import { noUsage } from './usage.ts'

const bounds = { outputTokensMax: 200, contextLength: 1_000, choiceCount: 2 }

it.each([
  [true, 'all that was allowed', { uncachedInput: 2_000, textOutput: 200 }],
  [true, 'what opens and closes two choices', { uncachedInput: 10, textOutput: 100, reasoningOutput: 132 }],
  [false, 'one token more of text', { uncachedInput: 10, textOutput: 233 }],
  [false, 'thoughts beyond the cap', { uncachedInput: 10, reasoningOutput: 233 }],
  [false, 'speech beyond the cap', { uncachedInput: 10, audioOutput: 233 }],
  [true, 'an image, which no cap bounds', { uncachedInput: 10, imageOutput: 1_290 }],
  [false, 'images beyond the context', { uncachedInput: 10, imageOutput: 2_001 }],
  [false, 'a prompt beyond the context, twice', { cacheRead: 2_001 }],
])('[B7] believes (%s) %s', (expected, _name, counts) => {
  expect(isBelievable({ ...noUsage, ...counts }, bounds)).toBe(expected)
})
