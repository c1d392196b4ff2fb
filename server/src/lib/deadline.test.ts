import { describe, expect, it } from 'vitest'
import { withDeadline } from './deadline.ts'

const late = (): Error => new Error('late')

describe('a deadline', () => {
  it('passes on what came in time', async () => {
    expect(await withDeadline(Promise.resolve(7), 50, late)).toBe(7)
    await expect(withDeadline(Promise.reject(new Error('broken')), 50, late)).rejects.toThrow('broken')
  })

  it('does not wait for what never comes', async () => {
    await expect(withDeadline(new Promise(() => {}), 10, late)).rejects.toThrow('late')
  })

  it('hears nothing of a failure that comes afterwards', async () => {
    const { promise, reject } = Promise.withResolvers<number>()
    await expect(withDeadline(promise, 5, late)).rejects.toThrow('late')
    reject(new Error('much later'))
    await new Promise((resolve) => setImmediate(resolve))
  })
})
