import { describe, expect, it } from 'vitest'
import { createHourlyAllowance } from './hourly-allowance.ts'

describe('an hourly allowance', () => {
  it('is used up by each key alone, and is whole again after an hour', () => {
    const allowance = createHourlyAllowance({ perHour: 2 })
    const taken = (key: string, nowMs: number) => allowance.take(key, nowMs)
    expect([taken('a', 0), taken('a', 1), taken('a', 2), taken('b', 3)]).toEqual([true, true, false, true])
    expect([taken('a', 3_599_999), taken('a', 3_600_000)]).toEqual([false, true])
  })

  it('forgets the keys longest unseen', () => {
    const allowance = createHourlyAllowance({ perHour: 1, keysMax: 2 })
    for (const key of ['a', 'b', 'a', 'c']) allowance.take(key, 0)
    expect(allowance.take('a', 1)).toBe(false)
    expect(allowance.take('b', 1)).toBe(true)
  })
})
