import { describe, expect, it } from 'vitest'
import { forecastMonth } from './month-forecast.ts'

const at = (iso: string) => Date.parse(iso)
const days = (entries: Record<string, bigint>) => new Map(Object.entries(entries))

describe('the forecast of a month', () => {
  it('adds the average of the complete days for the time that remains', () => {
    // 20 a day on two complete days of a month with 30 days; noon of the third leaves 27.5 days.
    const spent = days({ '2026-11-01': 15n, '2026-11-02': 25n, '2026-11-03': 4n })
    expect(forecastMonth(spent, at('2026-11-03T12:00:00Z'))).toEqual({ total: 44n + 550n, days: 2 })
  })

  it('takes the average of the last seven complete days alone', () => {
    const spent = days({ '2026-11-01': 1_000n, '2026-11-08': 70n })
    expect(forecastMonth(spent, at('2026-11-09T00:00:00Z'))).toEqual({ total: 1_070n + 220n, days: 7 })
  })

  it('rounds down once, whatever the size of the amounts', () => {
    const spent = days({ '2026-11-01': 10n ** 24n, '2026-11-02': 1n, '2026-11-03': 0n })
    expect(forecastMonth(spent, at('2026-11-04T00:00:00Z'))).toEqual({
      total: 10n ** 24n + 1n + ((10n ** 24n + 1n) * 27n) / 3n,
      days: 3,
    })
  })

  it('leaves out days of another month, and says nothing on the first day', () => {
    const spent = days({ '2026-10-31': 500n, '2026-11-01': 5n })
    expect(forecastMonth(spent, at('2026-11-01T23:59:59Z'))).toBeNull()
    expect(forecastMonth(spent, at('2026-11-02T00:00:00Z'))?.total).toBe(5n + 5n * 29n)
  })

  it('ends with what was spent', () => {
    const spent = days({ '2026-12-31': 3n })
    expect(forecastMonth(spent, at('2026-12-31T23:59:59.999Z'))?.total).toBe(3n)
  })
})
