import { describe, expect, it } from 'vitest'
import { createTurnstile } from './turnstile.ts'

function start(atOnceMax: number, waitingMax: number) {
  const turnstile = createTurnstile({ atOnceMax, waitingMax, refusal: () => new Error('the line is full') })
  const order: string[] = []
  const ends: (() => void)[] = []
  const run = (name: string) =>
    turnstile.run(async () => {
      order.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    })
  const endNext = async (): Promise<void> => {
    await expect.poll(() => ends.length).toBeGreaterThan(0)
    ends.shift()?.()
  }
  return { turnstile, order, run, endNext }
}

describe('a turnstile', () => {
  it('runs so many at once and the others in turn', async () => {
    const { turnstile, order, run, endNext } = start(2, 10)
    const all = ['a', 'b', 'c', 'd'].map(run)
    await expect.poll(() => order).toEqual(['a', 'b'])
    expect(turnstile.depth).toBe(4)
    await endNext()
    await expect.poll(() => order).toEqual(['a', 'b', 'c'])
    for (let left = 0; left < 3; left += 1) await endNext()
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
    expect(turnstile.depth).toBe(0)
  })

  it('turns away whoever finds the line full, and serves the next once there is room', async () => {
    const { run, endNext } = start(1, 1)
    const [first, second] = [run('a'), run('b')]
    await expect(run('c')).rejects.toThrow('the line is full')
    await endNext()
    await first
    const fourth = run('d')
    await endNext()
    await second
    await endNext()
    expect(await fourth).toBe('d')
  })

  it('is idle once the last has left, and goes on after a failure', async () => {
    const { turnstile } = start(1, 5)
    await turnstile.idle()
    const failed = turnstile.run(() => Promise.reject(new Error('broken'))).catch(() => 'failed')
    const done = turnstile.run(async () => 'done')
    await turnstile.idle()
    expect(turnstile.depth).toBe(0)
    expect(await Promise.all([failed, done])).toEqual(['failed', 'done'])
  })
})
