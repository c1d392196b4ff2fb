import { expect, test } from 'vitest'
import { isoOf, lengthInWords } from './video-times.ts'

test('a moment is shown in UTC', () => {
  expect(isoOf(1_794_735_600)).toBe('2026-11-15T09:40:00.000Z')
})

test.each([
  [100, undefined, '–'],
  [100, 100, '0 s'],
  [100, 159, '59 s'],
  [100, 160, '1 min 0 s'],
  [100, 285, '3 min 5 s'],
])('a job from %s to %s', (created_at, completed_at, words) => {
  expect(lengthInWords({ created_at, ...(completed_at === undefined ? {} : { completed_at }) })).toBe(words)
})
