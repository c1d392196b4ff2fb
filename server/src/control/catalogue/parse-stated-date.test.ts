import { describe, expect, test } from 'vitest'
import { parseStatedDate } from './parse-stated-date.ts'

describe('a stated date', () => {
  test.each([
    ['2026-11-15', '2026-11-15', '2026-11-15'],
    ['2026-02', '2026-02-01', '2026-02-28'],
    ['2028-02', '2028-02-01', '2028-02-29'],
    ['2026', '2026-01-01', '2026-12-31'],
  ])('%s begins on %s and ends on %s', (stated, first, last) => {
    expect(parseStatedDate(stated, 'first')).toBe(first)
    expect(parseStatedDate(stated, 'last')).toBe(last)
  })

  test.each(['', 'soon', '26-01-01', '2026-13', '2026-02-30', '2026-1-1', '2026-01-01T00:00:00Z'])(
    '%s is none',
    (stated) => {
      expect(parseStatedDate(stated, 'last')).toBeUndefined()
    },
  )
})
