import { expect, it } from 'vitest'
import { cacheTimes, cacheTimeInWords } from './cache-times.ts'

it.each([
  [1, '1 second'],
  [90, '90 seconds'],
  [60, '1 minute'],
  [5_400, '90 minutes'],
  [7_200, '2 hours'],
  [86_400, '1 day'],
  [90_000, '25 hours'],
])('says %i seconds as %s', (seconds, words) => {
  expect(cacheTimeInWords(seconds)).toBe(words)
})

it('offers the current value, once and in its place', () => {
  const usual = ['300', '3600', '86400']
  for (const current of ['', '0', '3600']) expect(cacheTimes(current).map(({ value }) => value)).toEqual(usual)
  expect(cacheTimes('600').map(({ value }) => value)).toEqual(['300', '600', '3600', '86400'])
})
