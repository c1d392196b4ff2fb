import { describe, expect, it } from 'vitest'
import { parseDate } from '#lib/utc-calendar.ts'
import { fitsHours, judgeCustomRange, rangeSoFar } from './usage-period.ts'

const at = (text: string): number => Date.parse(text)
const day = (text: string): number => parseDate(text) ?? Number.NaN

describe('[ACCT-14] periods of usage', () => {
  // A Sunday, the last millisecond of its week.
  const nowMs = at('2026-03-01T23:59:59.999Z')

  it.each([
    ['day', '2026-03-01'],
    ['week', '2026-02-23'],
    ['month', '2026-03-01'],
    ['year', '2026-01-01'],
  ] as const)('a %s begins on %s and reaches to the end of today', (period, start) => {
    expect(rangeSoFar(period, nowMs)).toEqual({ startMs: day(start), endMs: day('2026-03-02') })
  })

  it('a week begins on Monday', () => {
    expect(rangeSoFar('week', at('2026-03-02T00:00:00Z')).startMs).toBe(day('2026-03-02'))
  })
})

describe('[ACCT-15] any days', () => {
  it('are those from the first to the last, both included', () => {
    const judged = judgeCustomRange({ fromMs: day('2026-02-28'), toMs: day('2026-02-28') })
    expect(judged).toEqual({ accepted: true, range: { startMs: day('2026-02-28'), endMs: day('2026-03-01') } })
  })

  it('are not reversed, and at most five years', () => {
    expect(judgeCustomRange({ fromMs: day('2026-03-02'), toMs: day('2026-03-01') })).toEqual({
      accepted: false,
      problem: 'on or after `from`',
    })
    expect(judgeCustomRange({ fromMs: day('2024-01-01'), toMs: day('2028-12-31') })).toMatchObject({ accepted: true })
    expect(judgeCustomRange({ fromMs: day('2024-01-01'), toMs: day('2029-01-01') })).toEqual({
      accepted: false,
      problem: 'at most 5 years after `from`',
    })
  })

  it.each(['', '2026-02-29', '2026-13-01', '2026-3-1', '0001-01-01', '9999-12-31', '2026-03-01T00:00', 'today'])(
    'are no days when they are written %j',
    (text) => {
      expect(parseDate(text)).toBeUndefined()
    },
  )

  it('are told by the hour up to a week', () => {
    expect(fitsHours({ startMs: day('2026-03-01'), endMs: day('2026-03-08') })).toBe(true)
    expect(fitsHours({ startMs: day('2026-03-01'), endMs: day('2026-03-09') })).toBe(false)
  })
})
