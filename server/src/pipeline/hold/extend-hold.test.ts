import { beforeEach, describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import type { ExtendedHold, ExtendRequest } from '#ports/money.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Plan, Ticket } from '../types.ts'
import { createHoldExtender } from './extend-hold.ts'

// The ticket's ten prompt tokens cost 1,000 each, an output token 2,000.
const costOf = (tokens: number): bigint => 10_000n + BigInt(tokens) * 2_000n

describe('extending a hold', () => {
  let requests: ExtendRequest[]
  let answer: (request: ExtendRequest) => Promise<ExtendedHold | null>
  let refusals: string[]
  let errors: unknown[]

  beforeEach(() => {
    requests = []
    answer = async ({ total }) => ({ total, refusedBy: null })
    refusals = []
    errors = []
  })

  function watcher() {
    const { watch } = createHoldExtender({
      money: {
        hold: async ({ amount }) => ({ allowed: true, granted: amount, room: nanoUsd(0n) }),
        renew: async () => {},
        settle: async ({ record }) => ({ cost: record.cost, absorbed: nanoUsd(0n) }),
        extend: (request) => {
          requests.push(request)
          return answer(request)
        },
      },
      onError: (error) => errors.push(error),
    })
    return (ticket: Ticket, tokens: number): void => {
      const [candidate] = ticket.plan.candidates
      assert(candidate !== undefined, 'the ticket has a candidate')
      watch(ticket, { candidate, tokens }, (scope) => refusals.push(scope))
    }
  }

  it('[HOLD-12] begins when three quarters are used, once at a time, and doubles', async () => {
    const watch = watcher()
    const ticket = streamWith(1_000_000)
    watch(ticket, 767)
    expect(requests).toEqual([])
    for (const tokens of [768, 800, 1_000]) watch(ticket, tokens)
    expect(requests.map(({ total }) => total)).toEqual([costOf(2_048)])
    await settled()
    expect(ticket).toMatchObject({ heldTokens: 2_048, heldAmount: costOf(2_048) })
    watch(ticket, 1_500)
    watch(ticket, 1_536)
    expect(requests.map(({ total }) => total)).toEqual([costOf(2_048), costOf(4_096)])
    expect(refusals).toEqual([])
  })

  it('[B13] takes what is left, and is cut off only when that is used up', async () => {
    const watch = watcher()
    const ticket = streamWith(4_000)
    answer = async () => ({ total: nanoUsd(costOf(1_400)), refusedBy: 'wallet' })
    watch(ticket, 800)
    await settled()
    expect(ticket).toMatchObject({ heldTokens: 1_400, heldAmount: costOf(1_400) })
    watch(ticket, 1_399)
    await settled()
    expect([requests.length, refusals.length]).toEqual([1, 0])
    watch(ticket, 1_400)
    await settled()
    expect(refusals).toEqual(['wallet'])
  })

  it('[B13] ends at the cap that the upstream was told, and does not cut off an answer within it', async () => {
    const watch = watcher()
    const ticket = streamWith(1_400)
    watch(ticket, 768)
    await settled()
    expect(requests.map(({ total }) => total)).toEqual([costOf(1_400)])
    // An estimate may be too high, so the hold is not extended again.
    watch(ticket, 2_800)
    expect(requests).toHaveLength(1)
    answer = async () => ({ total: nanoUsd(costOf(1_400)), refusedBy: 'key_day' })
    watch(ticket, 2_801)
    await settled()
    expect(refusals).toEqual(['key_day'])
  })

  it('is not a refusal when the store is away: the stream goes on, and it is tried again', async () => {
    answer = async () => {
      throw new Error('away')
    }
    const watch = watcher()
    const ticket = streamWith(1_000_000)
    watch(ticket, 768)
    await settled()
    watch(ticket, 769)
    expect(refusals).toEqual([])
    expect(errors).toHaveLength(1)
    expect(requests).toHaveLength(2)
  })

  it('is not a refusal when its hold has lapsed: the settle charges what there is room for', async () => {
    answer = async () => null
    watcher()(streamWith(1_000_000), 1_024)
    await settled()
    expect([refusals, errors]).toEqual([[], []])
  })

  it('[P21] never happens where the client set a cap', () => {
    watcher()(streamWith(1_000_000, { isOpenEnded: false }), 100_000)
    expect(requests).toEqual([])
  })

  it('does not end a stream that has been settled meanwhile', async () => {
    answer = async () => ({ total: nanoUsd(costOf(1_024)), refusedBy: 'wallet' })
    const ticket = streamWith(1_000_000)
    watcher()(ticket, 1_024)
    ticket.settlement = Promise.resolve(nanoUsd(0n))
    await settled()
    expect(refusals).toEqual([])
  })
})

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A ticket whose initial hold pays for this number of tokens. */
function streamWith(payableTokens: number, change: Partial<Plan> = {}): Ticket {
  return { ...testTicket(change), payable: nanoUsd(costOf(payableTokens)) }
}
