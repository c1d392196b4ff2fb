import { expect, it } from 'vitest'
import { breakerInWords } from './breaker-words.ts'

it.each([
  [{ cbEnabled: null, cbMinuteUsd: null, cbHourlyUsd: null }, 'Inherited'],
  [{ cbEnabled: false, cbMinuteUsd: 5, cbHourlyUsd: null }, 'Off'],
  [{ cbEnabled: true, cbMinuteUsd: null, cbHourlyUsd: null }, 'On'],
  [{ cbEnabled: true, cbMinuteUsd: 5, cbHourlyUsd: '20.5' as const }, 'On, $5.00 a minute, $20.50 an hour'],
  [{ cbEnabled: null, cbMinuteUsd: null, cbHourlyUsd: 1 }, 'Inherited, $1.00 an hour'],
])('says of the breaker %o: %s', (settings, words) => {
  expect(breakerInWords(settings)).toBe(words)
})
