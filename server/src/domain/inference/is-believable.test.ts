import { expect, it } from 'vitest'
import { isBelievable } from './is-believable.ts'
import { noUsage } from './usage.ts'

const bounds = { outputTokensMax: 200, contextLength: 1_000, choiceCount: 2, searchesTold: null }

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

it.each([
  [true, 'as many searches as were allowed', 3, { webSearches: 3 }],
  [false, 'one more', 3, { webSearches: 4 }],
  [false, 'any where none was allowed', 0, { webSearches: 1 }],
  [true, 'a thousand where no bound can be told', null, { webSearches: 1_000 }],
  [false, 'more than a thousand', null, { webSearches: 1_001 }],
  [true, 'a million quoted tokens', null, { citationTokens: 1_000_000 }],
  [false, 'more than a million', null, { citationTokens: 1_000_001 }],
])('[M1] [M2] [B7] believes (%s) %s', (expected, _name, searchesTold, media) => {
  expect(isBelievable({ ...noUsage, uncachedInput: 1, media }, { ...bounds, searchesTold })).toBe(expected)
})
