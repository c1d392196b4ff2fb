import { beforeEach, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { BreakerTrip } from '#ports/organization-rules.ts'
import { createTripReporter, type TripReporter } from './trip-reporter.ts'

const trip: BreakerTrip = {
  kind: 'member_minute',
  ownerId: 'ada',
  organizationId: 'acme',
  limit: parseUsd('5'),
  requestId: null,
}

describe('trips of a breaker', () => {
  let nowMs: number
  let noted: BreakerTrip[]
  let answer: () => Promise<{ quietMs: number }>
  let errors: unknown[]
  let reporter: TripReporter

  beforeEach(() => {
    nowMs = 1_000
    noted = []
    errors = []
    answer = async () => ({ quietMs: 3_600_000 })
    reporter = createTripReporter({
      trips: {
        note: (next) => {
          noted.push(next)
          return answer()
        },
      },
      nowMs: () => nowMs,
      onError: (error) => errors.push(error),
    })
  })

  it('[AUDIT-01] are told to the store once, however many calls are refused', async () => {
    for (let call = 0; call < 1_000; call += 1) reporter.report(trip)
    await settled()
    for (let call = 0; call < 1_000; call += 1) reporter.report(trip)
    expect(noted).toEqual([trip])
  })

  it('[AUDIT-01] are told apart by scope and window', () => {
    for (const next of [trip, { ...trip, kind: 'member_hour' }, { ...trip, ownerId: 'bob' }]) reporter.report(next)
    expect(noted).toHaveLength(3)
  })

  it('[AUDIT-01] are told again as soon as another entry may be due, whoever wrote the last one', async () => {
    answer = async () => ({ quietMs: 60_000 })
    reporter.report(trip)
    await settled()
    nowMs += 59_999
    reporter.report(trip)
    expect(noted).toHaveLength(1)
    nowMs += 1
    reporter.report(trip)
    expect(noted).toHaveLength(2)
  })

  it('are told again a little later when the store could not take them', async () => {
    answer = async () => {
      throw new Error('away')
    }
    reporter.report(trip)
    await settled()
    reporter.report(trip)
    expect(noted).toHaveLength(1)
    nowMs += 10_000
    reporter.report(trip)
    await settled()
    expect(noted).toHaveLength(2)
    expect(errors).toHaveLength(2)
  })

  it('are remembered in bounded memory: the oldest is forgotten first', () => {
    for (let member = 0; member <= 10_000; member += 1) reporter.report({ ...trip, ownerId: String(member) })
    noted = []
    reporter.report({ ...trip, ownerId: '1' })
    expect(noted).toEqual([])
    reporter.report({ ...trip, ownerId: '0' })
    expect(noted).toHaveLength(1)
  })
})

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
