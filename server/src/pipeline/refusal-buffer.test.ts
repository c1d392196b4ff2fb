import { describe, expect, it } from 'vitest'
import type { Refusal } from '#domain/ledger/refusal.ts'
import { newUuid } from '#lib/uuid.ts'
import { type BufferOutcome, createRefusalBuffer } from './refusal-buffer.ts'

const minuteMs = 60_000
const hourMs = 3_600_000
const startMs = Date.parse('2030-01-07T12:00:00Z')

function refusalAt(atMs: number, special: Partial<Refusal> = {}): Refusal {
  return {
    id: newUuid(atMs),
    keyId: 'key',
    walletId: 'wallet',
    userId: null,
    organizationId: null,
    memberId: null,
    teamId: null,
    endpoint: 'chat',
    error: 'rateLimited',
    status: 429,
    boundBy: null,
    model: null,
    ...special,
  }
}

function bufferOf() {
  const told: Partial<Record<BufferOutcome, number>> = {}
  const buffer = createRefusalBuffer((outcome) => {
    told[outcome] = (told[outcome] ?? 0) + 1
  })
  const flood = (count: number, special: (index: number) => Refusal) => {
    for (let index = 0; index < count; index++) buffer.note(special(index))
  }
  return { buffer, told, flood }
}

const sum = (counts: readonly { readonly count: number }[]) => counts.reduce((total, { count }) => total + count, 0)

describe('refusals in memory', () => {
  it.each([
    [1, 1],
    [59, 59],
    [60, 60],
    [61, 60],
    [5_000, 60],
  ])('keep %i refusals of a key in a minute as %i rows, and count each', (sent, rows) => {
    const { buffer, told, flood } = bufferOf()
    flood(sent, () => refusalAt(startMs))
    expect(buffer.waiting).toBe(sent)
    const { refusals, counts } = buffer.take()
    expect(refusals).toHaveLength(rows)
    expect(counts).toEqual([{ hourMs: startMs, walletId: 'wallet', keyId: 'key', error: 'rateLimited', count: sent }])
    expect(told).toEqual(sent === rows ? {} : { sampled: sent - rows })
  })

  it('keep rows of a key again in the next minute, and of each other key', () => {
    const { buffer, flood } = bufferOf()
    flood(100, () => refusalAt(startMs))
    flood(100, () => refusalAt(startMs, { keyId: 'other' }))
    flood(100, () => refusalAt(startMs + minuteMs))
    expect(buffer.take().refusals).toHaveLength(180)
  })

  it('do not start a minute anew for a request of the minute before', () => {
    const { buffer, flood } = bufferOf()
    flood(200, (index) => refusalAt(startMs + (index % 2 === 0 ? minuteMs : minuteMs - 1)))
    expect(buffer.take().refusals).toHaveLength(60)
  })

  it('remember the rate of a key when they are taken', () => {
    const { buffer, flood } = bufferOf()
    flood(60, () => refusalAt(startMs))
    buffer.take()
    flood(5, () => refusalAt(startMs + 1))
    expect(buffer.take()).toMatchObject({ refusals: [], counts: [{ count: 5 }] })
    expect(buffer.take()).toEqual({ refusals: [], counts: [] })
    expect(buffer.waiting).toBe(0)
  })

  it('count by key, error and hour of the request', () => {
    const { buffer } = bufferOf()
    const noted = [
      refusalAt(startMs + hourMs - 1),
      refusalAt(startMs + hourMs),
      refusalAt(startMs + hourMs, { error: 'insufficientCredits' }),
      refusalAt(startMs + hourMs, { keyId: 'other', walletId: 'rich' }),
      refusalAt(startMs + hourMs + 1),
    ]
    for (const refusal of noted) buffer.note(refusal)
    expect(buffer.take().counts).toEqual([
      { hourMs: startMs, walletId: 'wallet', keyId: 'key', error: 'rateLimited', count: 1 },
      { hourMs: startMs + hourMs, walletId: 'wallet', keyId: 'key', error: 'rateLimited', count: 2 },
      { hourMs: startMs + hourMs, walletId: 'wallet', keyId: 'key', error: 'insufficientCredits', count: 1 },
      { hourMs: startMs + hourMs, walletId: 'rich', keyId: 'other', error: 'rateLimited', count: 1 },
    ])
  })

  it('are bounded however many keys there are, and none goes uncounted', () => {
    const { buffer, told, flood } = bufferOf()
    flood(25_000, (index) => refusalAt(startMs, { keyId: `key ${index % 12_500}` }))
    const { refusals, counts } = buffer.take()
    expect(refusals).toHaveLength(5_000)
    expect(counts).toHaveLength(10_001)
    expect(sum(counts)).toBe(25_000)
    const nobody = '00000000-0000-0000-0000-000000000000'
    expect(counts.at(-1)).toEqual({
      hourMs: startMs,
      walletId: nobody,
      keyId: nobody,
      error: 'rateLimited',
      count: 5_000,
    })
    expect(told).toEqual({ dropped: 15_000, sampled: 5_000, aggregated: 5_000 })
  })
})
