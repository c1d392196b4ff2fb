import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createDeliveryLine } from './delivery-line.ts'

function startLine() {
  const errors: unknown[] = []
  const line = createDeliveryLine({
    // allowed: pauses of an hour, which only their signal ends
    wait: (ms, signal) => wait(ms, undefined, { signal }),
    onError: (error) => errors.push(error),
  })
  return { line, errors }
}

const hourMs = 3_600_000

describe('the work that follows an answered code request', () => {
  it('begins in a later turn, once the answer is written', async () => {
    const { line } = startLine()
    const begun = Promise.withResolvers<void>()
    let isAnswered = false
    line.afterwards(async () => {
      expect(isAnswered).toBe(true)
      begun.resolve()
    })
    await Promise.resolve()
    isAnswered = true
    await begun.promise
  })

  it('is waited for when the line closes, but for its pauses', async () => {
    const { line, errors } = startLine()
    const paused = Promise.withResolvers<void>()
    const mailed = Promise.withResolvers<void>()
    const done: string[] = []
    line.afterwards(async () => {
      paused.resolve()
      await line.pause(hourMs)
      done.push('paused')
    })
    line.afterwards(async () => {
      await mailed.promise
      done.push('mailed')
    })
    await paused.promise
    const closed = line.close()
    mailed.resolve()
    await closed
    expect(done).toEqual(['mailed'])
    await expect.poll(() => errors).toMatchObject([{ name: 'AbortError' }])
  })

  it('does not pause any more once the line is closed', async () => {
    const { line, errors } = startLine()
    const mailed = Promise.withResolvers<void>()
    line.afterwards(async () => {
      await mailed.promise
      await line.pause(hourMs)
    })
    const closed = line.close()
    mailed.resolve()
    await closed
    await expect.poll(() => errors).toMatchObject([{ name: 'AbortError' }])
  })

  it('is at most eight at once, and the next begins when one is over', async () => {
    const { line } = startLine()
    const gates = Array.from({ length: 9 }, () => Promise.withResolvers<void>())
    const begun: number[] = []
    for (const [index, gate] of gates.entries()) {
      line.afterwards(() => {
        begun.push(index)
        return gate.promise
      })
    }
    await expect.poll(() => begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    gates[3]?.resolve()
    await expect.poll(() => begun.at(-1)).toBe(8)
    for (const gate of gates) gate.resolve()
    await line.close()
  })
})
