import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import { createLeaseKeeper, type LeaseKeeper } from './lease-keeper.ts'

const leaseMs = 60_000

describe('[HOLD-15] a lease', () => {
  let renewals: { atMs: number; ids: readonly Uuid[] }[]
  let errors: unknown[]
  let leases: LeaseKeeper
  let renew: () => Promise<void>

  beforeEach(() => {
    vi.useFakeTimers({ now: 0 })
    renewals = []
    errors = []
    renew = async () => {}
    leases = createLeaseKeeper({
      money: {
        renew: (ids) => {
          renewals.push({ atMs: Date.now(), ids })
          return renew()
        },
      },
      leaseMs,
      onError: (error) => errors.push(error),
    })
  })
  afterEach(() => {
    leases.stop()
    vi.useRealTimers()
  })

  it.each([0, 1, 7_500, 14_999])('is renewed long before it lapses, again and again: kept at %i ms', (keptAtMs) => {
    vi.advanceTimersByTime(keptAtMs)
    const id = newUuid(0)
    leases.keep(id)
    vi.advanceTimersByTime(10 * leaseMs)
    const moments = [keptAtMs, ...renewals.map(({ atMs }) => atMs)]
    const gaps = moments.slice(1).map((moment, position) => moment - (moments[position] ?? 0))
    expect(renewals.every(({ ids }) => ids.length === 1 && ids[0] === id)).toBe(true)
    expect(gaps.length).toBeGreaterThan(30)
    // At least twice per lease, so that one renewal may fail or be late.
    expect(Math.max(...gaps)).toBeLessThanOrEqual(leaseMs / 2)
  })

  it('costs nothing for a request that ends within a quarter of it', () => {
    const id = newUuid(0)
    leases.keep(id)
    vi.advanceTimersByTime(leaseMs / 4)
    leases.release(id)
    vi.advanceTimersByTime(leaseMs)
    expect(renewals).toEqual([])
    expect(leases.open).toBe(0)
  })

  it('is not renewed any more once its request has ended', () => {
    const [ended, running] = [newUuid(0), newUuid(0)]
    leases.keep(ended)
    leases.keep(running)
    vi.advanceTimersByTime(leaseMs)
    leases.release(ended)
    renewals.length = 0
    vi.advanceTimersByTime(leaseMs)
    expect(new Set(renewals.flatMap(({ ids }) => ids))).toEqual(new Set([running]))
  })

  it('is tried again at the next turn when its renewal failed', async () => {
    leases.keep(newUuid(0))
    renew = async () => {
      throw new Error('the store is away')
    }
    await vi.advanceTimersByTimeAsync(leaseMs / 2)
    expect([renewals.length, errors.length]).toEqual([1, 1])
    await vi.advanceTimersByTimeAsync(leaseMs / 4)
    expect([renewals.length, errors.length]).toEqual([2, 2])
  })
})
