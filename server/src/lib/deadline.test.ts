import { describe, expect, it } from 'vitest'
import { createTestTimers } from '#test/setup/test-timers.ts'
import { withDeadline } from './deadline.ts'

const late = (): Error => new Error('late')

/** Records how a promise settles. */
function watch(promise: Promise<unknown>): { end: string | null } {
  const watched: { end: string | null } = { end: null }
  promise.then(
    () => (watched.end = 'in time'),
    (error: unknown) => (watched.end = String(error)),
  )
  return watched
}

describe('a deadline', () => {
  it('passes on what came in time', async () => {
    const timers = createTestTimers()
    expect(await withDeadline(Promise.resolve(7), 50, late, timers)).toBe(7)
    await expect(withDeadline(Promise.reject(new Error('broken')), 50, late, timers)).rejects.toThrow('broken')
  })

  it('does not wait longer than it says for what never comes', async () => {
    const timers = createTestTimers()
    const waiting = watch(withDeadline(new Promise(() => {}), 50, late, timers))
    await timers.pass(49)
    expect(waiting.end).toBeNull()
    await timers.pass(1)
    expect(waiting.end).toBe('Error: late')
  })

  it('lets an answer be read that came while the event loop was busy', async () => {
    const timers = createTestTimers()
    const { promise, resolve } = Promise.withResolvers<number>()
    const waiting = watch(withDeadline(promise, 50, late, timers))
    // The timer of the work fires first, and its result is read in the same turn.
    timers.after(50, () => resolve(7))
    await timers.pass(50)
    expect(waiting.end).toBe('in time')
  })

  it('hears nothing of a failure that comes afterwards', async () => {
    const timers = createTestTimers()
    const { promise, reject } = Promise.withResolvers<number>()
    const waiting = watch(withDeadline(promise, 5, late, timers))
    await timers.pass(5)
    reject(new Error('much later'))
    await timers.pass(5)
    expect(waiting.end).toBe('Error: late')
  })

  it('counts real time where no other is given', async () => {
    await expect(withDeadline(new Promise(() => {}), 1, late)).rejects.toThrow('late')
  })
})
