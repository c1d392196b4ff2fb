import { beforeEach, describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { ExtendRequest } from '#ports/money.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { createHoldExtender } from './extend-hold.ts'

describe('extending a hold', () => {
  let requests: ExtendRequest[]
  let answer: () => Promise<boolean>
  let refusals: number
  let errors: unknown[]

  beforeEach(() => {
    requests = []
    answer = async () => true
    refusals = 0
    errors = []
  })

  function extender() {
    return createHoldExtender({
      money: {
        hold: async () => ({ allowed: true }),
        renew: async () => {},
        settle: async ({ record }) => ({ cost: record.cost }),
        extend: (request) => {
          requests.push(request)
          return answer()
        },
      },
      amountFor: (_ticket, tokens) => nanoUsd(BigInt(tokens)),
      onError: (error) => errors.push(error),
    })
  }
  const refused = (): void => {
    refusals += 1
  }

  it('[HOLD-12] begins when three quarters are used, once at a time, and doubles', async () => {
    const { watch } = extender()
    const ticket = testTicket()
    watch(ticket, 767, refused)
    expect(requests).toEqual([])
    for (const tokens of [768, 800, 1_000]) watch(ticket, tokens, refused)
    expect(requests.map(({ total }) => total)).toEqual([2_048n])
    await settled()
    expect(ticket).toMatchObject({ heldTokens: 2_048, heldAmount: 2_048n })
    watch(ticket, 1_500, refused)
    watch(ticket, 1_536, refused)
    expect(requests.map(({ total }) => total)).toEqual([2_048n, 4_096n])
    expect(refusals).toBe(0)
  })

  it('[HOLD-12] that is refused says so, and the hold stays as it was', async () => {
    answer = async () => false
    const ticket = testTicket()
    extender().watch(ticket, 768, refused)
    await settled()
    expect(refusals).toBe(1)
    expect(ticket.heldTokens).toBe(1_024)
  })

  it('is not a refusal when the store is away: the stream goes on, and it is tried again', async () => {
    answer = async () => {
      throw new Error('away')
    }
    const { watch } = extender()
    const ticket = testTicket()
    watch(ticket, 768, refused)
    await settled()
    watch(ticket, 769, refused)
    expect(refusals).toBe(0)
    expect(errors).toHaveLength(1)
    expect(requests).toHaveLength(2)
  })

  it('[P21] never happens where the caller set a cap', () => {
    extender().watch(testTicket({ isOpenEnded: false }), 100_000, refused)
    expect(requests).toEqual([])
  })

  it('does not end a stream that has been settled meanwhile', async () => {
    answer = async () => false
    const ticket = testTicket()
    extender().watch(ticket, 768, refused)
    ticket.settlement = Promise.resolve(nanoUsd(0n))
    await settled()
    expect(refusals).toBe(0)
  })
})

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
