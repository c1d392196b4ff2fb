import { describe, expect, it } from 'vitest'
import { createDeliveryLine } from './delivery-line.ts'

function startLine() {
  const errors: unknown[] = []
  return { line: createDeliveryLine({ onError: (error) => errors.push(error) }), errors }
}

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

  it('is waited for, also where it fails', async () => {
    const { line, errors } = startLine()
    const mailed = Promise.withResolvers<void>()
    const fault = new Error('Postgres is away')
    const done: string[] = []
    line.afterwards(async () => {
      throw fault
    })
    line.afterwards(async () => {
      await mailed.promise
      done.push('mailed')
    })
    const idle = line.idle().then(() => done.push('idle'))
    await expect.poll(() => errors).toEqual([fault])
    mailed.resolve()
    await idle
    expect(done).toEqual(['mailed', 'idle'])
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
    await line.idle()
  })
})
