import { describe, expect, it } from 'vitest'
import type { Rates } from '#ports/shared-counts.ts'
import { createMemoryRates } from '#store/memory/memory-rates.ts'
import { createTestTimers } from '#test/setup/test-timers.ts'
import { createResilientRates } from './resilient-rates.ts'

const subject = { walletId: 'wallet', clientId: 'client', class: 'inference' } as const

/** Starts rates with a store that can become unavailable: `fails` rejects immediately, `hangs` never answers. */
function startRates() {
  const timers = createTestTimers()
  const store = { state: 'sound' as 'sound' | 'fails' | 'hangs', calls: 0 }
  const sound = createMemoryRates()
  const through = <Answer>(answer: () => Promise<Answer>): Promise<Answer> => {
    store.calls += 1
    if (store.state === 'fails') return Promise.reject(new Error('connection lost'))
    return store.state === 'hangs' ? new Promise(() => {}) : answer()
  }
  const primary: Rates = {
    admit: (...request) => through(() => sound.admit(...request)),
    read: (...request) => through(() => sound.read(...request)),
    noteUnbilledCancel: (...request) => through(() => sound.noteUnbilledCancel(...request)),
  }
  const degradations: unknown[] = []
  const rates = createResilientRates({
    primary,
    fallback: createMemoryRates(),
    timers,
    onDegraded: (error) => degradations.push(error),
  })
  return { store, rates, degradations, timers }
}

describe('rates whose store is away', () => {
  it('are counted by the fallback, in the very call that failed', async () => {
    const { store, rates, degradations } = startRates()
    await rates.admit(subject, 5, 0)
    expect(rates.degraded).toBe(false)
    store.state = 'fails'
    expect(await rates.admit(subject, 5, 0)).toMatchObject({ allowed: true, remaining: 4 })
    expect(rates.degraded).toBe(true)
    await rates.noteUnbilledCancel(subject, 'key', 0)
    expect(degradations).toEqual([new Error('connection lost')])
  })

  it('still limit the client', async () => {
    const { store, rates } = startRates()
    store.state = 'fails'
    for (let sent = 0; sent < 5; sent += 1) await rates.admit(subject, 5, 0)
    expect(await rates.admit(subject, 5, 0)).toMatchObject({ allowed: false, reason: 'window' })
  })

  it('do not wait longer than the timeout', async () => {
    const { store, rates, timers } = startRates()
    store.state = 'hangs'
    let isAnswered = false
    const admitted = rates.admit(subject, 5, 0).finally(() => {
      isAnswered = true
    })
    await timers.pass(49)
    expect(isAnswered).toBe(false)
    await timers.pass(1)
    expect(await admitted).toMatchObject({ allowed: true })
    expect(rates.degraded).toBe(true)
  })

  it('try the store once a second, with one call', async () => {
    const { store, rates, timers } = startRates()
    store.state = 'hangs'
    const first = rates.admit(subject, 500, 0)
    await timers.pass(50)
    await first
    for (const nowMs of [0, 500, 999]) await rates.admit(subject, 500, nowMs)
    expect(store.calls).toBe(1)
    const probing = Promise.all(Array.from({ length: 20 }, () => rates.admit(subject, 500, 1_000)))
    await timers.pass(50)
    await probing
    expect(store.calls).toBe(2)
  })

  it('return to the store as soon as it answers', async () => {
    const { store, rates, degradations } = startRates()
    store.state = 'fails'
    await rates.admit(subject, 5, 0)
    store.state = 'sound'
    await rates.admit(subject, 5, 1_000)
    expect(rates.degraded).toBe(false)
    expect(degradations).toHaveLength(1)
  })

  it('are not taken for recovered by an answer that was asked for before the failure', async () => {
    const sound = createMemoryRates()
    const early = Promise.withResolvers<void>()
    const answers = [early.promise, Promise.reject(new Error('connection lost'))]
    const primary: Rates = { ...sound, admit: async (...request) => (await answers.shift(), sound.admit(...request)) }
    const rates = createResilientRates({ primary, fallback: createMemoryRates(), timeoutMs: 5_000 })
    const admitted = rates.admit(subject, 5, 0)
    await rates.admit(subject, 5, 0)
    early.resolve()
    await admitted
    expect(rates.degraded).toBe(true)
  })

  it('read and note as well, in the store and in the fallback', async () => {
    const { store, rates } = startRates()
    await rates.admit(subject, 5, 0)
    expect(await rates.read(subject, 5, 0)).toMatchObject({ allowed: true, remaining: 4 })
    await rates.noteUnbilledCancel(subject, 'key', 0)
    expect(store.calls).toBe(3)
    store.state = 'fails'
    // The fallback has not counted yet.
    expect(await rates.read(subject, 5, 0)).toMatchObject({ allowed: true, remaining: 5 })
  })

  it('tell of the outage once, and why', async () => {
    const { store, rates, degradations, timers } = startRates()
    store.state = 'hangs'
    for (const nowMs of [0, 1_000, 2_000]) {
      const admitted = rates.admit(subject, 5, nowMs)
      await timers.pass(50)
      await admitted
    }
    expect(store.calls).toBe(3)
    expect(degradations).toEqual([new Error('timed out after 50 ms')])
  })

  it('return to the store after a try that failed', async () => {
    const { store, rates } = startRates()
    store.state = 'fails'
    await rates.admit(subject, 5, 0)
    await rates.admit(subject, 5, 1_000)
    store.state = 'sound'
    await rates.admit(subject, 5, 2_000)
    expect(rates.degraded).toBe(false)
  })

  it('try the store with one call, also where an answer comes that was asked for before the failure', async () => {
    const sound = createMemoryRates()
    const [early, probe] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const answers = [early.promise, Promise.reject(new Error('connection lost')), probe.promise]
    let calls = 0
    const primary: Rates = {
      ...sound,
      admit: async (...request) => {
        calls += 1
        await answers.shift()
        return sound.admit(...request)
      },
    }
    const rates = createResilientRates({ primary, fallback: createMemoryRates(), timeoutMs: 5_000 })
    const first = rates.admit(subject, 5, 0)
    await rates.admit(subject, 5, 0)
    const probing = rates.admit(subject, 5, 1_000)
    early.resolve()
    await first
    await rates.admit(subject, 5, 1_000)
    expect(calls).toBe(3)
    probe.resolve()
    await probing
    expect(rates.degraded).toBe(false)
  })

  it('do not stay away when the clock goes back', async () => {
    const { store, rates } = startRates()
    store.state = 'fails'
    await rates.admit(subject, 5, 3_600_000)
    store.state = 'sound'
    await rates.admit(subject, 5, 0)
    expect(rates.degraded).toBe(false)
  })
})
