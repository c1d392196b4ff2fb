import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { expiringCredits, type Grant, inOrderOfEnd, judgeExpiry, usedOfGrants } from './grant.ts'

interface Given {
  id?: string
  amount: number
  from?: number
  until?: number
  end: number
  returned?: number
  due?: number
}

function grantOf({ id = 'a', amount, from = 0, until, end, returned = 0, due }: Given): Grant {
  return {
    id,
    amount: nanoUsd(BigInt(amount)),
    chargedFrom: nanoUsd(BigInt(from)),
    chargedUntil: until === undefined ? null : nanoUsd(BigInt(until)),
    expiresAtMs: end,
    returned: nanoUsd(BigInt(returned)),
    due: due === undefined ? null : nanoUsd(BigInt(due)),
  }
}

const nano = (amount: number): NanoUsd => nanoUsd(BigInt(amount))
const used = (grants: readonly Given[], charged: number): Record<string, number> =>
  Object.fromEntries([...usedOfGrants(grants.map(grantOf), nano(charged))].map(([id, amount]) => [id, Number(amount)]))

const judge = (grant: Given, usedNow: number, { balance, held = 0 }: { balance: number; held?: number }) => {
  const { back, due } = judgeExpiry(grantOf(grant), nano(usedNow), { balance: nano(balance), held: nano(held) })
  return [Number(back), Number(due)]
}
const left = (grants: readonly Given[], wallet: { balance: number; charged: number }) =>
  expiringCredits(grants.map(grantOf), { balance: nano(wallet.balance), charged: nano(wallet.charged) }).map(
    ({ grant, left }) => [grant.id, Number(left)],
  )

describe('what charges use of grants', () => {
  it('is what was charged since, up to the amount', () => {
    expect(used([{ amount: 10, from: 5, end: 1 }], 5)).toEqual({ a: 0 })
    expect(used([{ amount: 10, from: 5, end: 1 }], 9)).toEqual({ a: 4 })
    expect(used([{ amount: 10, from: 5, end: 1 }], 99)).toEqual({ a: 10 })
  })

  it('is of the grant that ends first, whichever came first', () => {
    const later = { id: 'a', amount: 10, from: 0, end: 9 }
    const sooner = { id: 'b', amount: 10, from: 3, end: 5 }
    expect(used([later, sooner], 3)).toEqual({ a: 3, b: 0 })
    expect(used([later, sooner], 10)).toEqual({ a: 3, b: 7 })
    expect(used([later, sooner], 15)).toEqual({ a: 5, b: 10 })
    expect(used([later, sooner], 99)).toEqual({ a: 10, b: 10 })
  })

  it('is of the older one where two end at the same moment', () => {
    const grants = [
      { id: 'b', amount: 10, end: 5 },
      { id: 'a', amount: 10, end: 5 },
    ]
    expect(used(grants, 12)).toEqual({ a: 10, b: 2 })
  })

  it('ends with the grant: what is charged later is used of the next', () => {
    const closed = { id: 'a', amount: 10, from: 0, until: 4, end: 5, returned: 6 }
    const next = { id: 'b', amount: 10, from: 2, end: 9 }
    expect(used([closed, next], 4)).toEqual({ a: 4, b: 0 })
    expect(used([closed, next], 7)).toEqual({ a: 4, b: 3 })
  })

  it('knows what grants paid for that were closed long ago, and so what was left for the later ones', () => {
    const first = { id: 'a', amount: 10, from: 0, until: 10, end: 1 }
    const second = { id: 'b', amount: 60, from: 0, until: 80, end: 2 }
    const third = { id: 'c', amount: 50, from: 50, end: 3 }
    // The second grant pays for charges from 10 to 70, so the third starts at 70.
    expect(used([first, second, third], 100)).toEqual({ a: 10, b: 60, c: 30 })
  })

  it('is nothing that was charged after the end, whatever other grants paid for then', () => {
    const late = { id: 'a', amount: 5, from: 10, end: 1 }
    const closed = { id: 'b', amount: 10, from: 0, until: 8, end: 2 }
    expect(used([late, closed], 20)).toEqual({ a: 5, b: 8 })
  })

  it('is nothing of what another grant paid for beyond the end', () => {
    const closed = { id: 'a', amount: 10, from: 0, until: 5, end: 2 }
    expect(used([closed, { id: 'b', amount: 10, from: 3, end: 1 }], 10)).toEqual({ a: 3, b: 7 })
  })

  it('is not what has gone back', () => {
    expect(used([{ amount: 10, end: 1, returned: 7, due: 3 }], 99)).toEqual({ a: 3 })
  })
})

describe('a grant that has ended', () => {
  it('gives back what is unused, and is then closed', () => {
    expect(judge({ amount: 10, end: 1 }, 4, { balance: 50 })).toEqual([6, 0])
    expect(judge({ amount: 10, end: 1 }, 4, { balance: 6 })).toEqual([6, 0])
    expect(judge({ amount: 10, end: 1 }, 10, { balance: 6 })).toEqual([0, 0])
  })

  it('leaves what is held, and waits for it', () => {
    expect(judge({ amount: 10, end: 1 }, 0, { balance: 10, held: 4 })).toEqual([6, 4])
    expect(judge({ amount: 10, end: 1 }, 0, { balance: 10, held: 10 })).toEqual([0, 10])
    expect(judge({ amount: 10, end: 1 }, 0, { balance: 30, held: 4 })).toEqual([10, 0])
  })

  it('goes on with what was held: what is charged by then is used, the rest goes back', () => {
    expect(judge({ amount: 10, end: 1, returned: 6, due: 4 }, 3, { balance: 1 })).toEqual([1, 0])
    expect(judge({ amount: 10, end: 1, returned: 6, due: 4 }, 0, { balance: 4, held: 1 })).toEqual([3, 1])
    // More was due than the unused amount that has not been returned yet.
    expect(judge({ amount: 10, end: 1, returned: 6, due: 4 }, 3, { balance: 50 })).toEqual([1, 0])
    // The holds have ended. Only the amount due is taken from a later top-up.
    expect(judge({ amount: 10, end: 1, returned: 0, due: 2 }, 0, { balance: 100 })).toEqual([2, 0])
  })

  it('takes nothing that the wallet does not have, now or later', () => {
    expect(judge({ amount: 10, end: 1 }, 0, { balance: -5 })).toEqual([0, 0])
    expect(judge({ amount: 10, end: 1 }, 0, { balance: 3 })).toEqual([3, 0])
    // With a credit line, the holds can exceed the balance.
    expect(judge({ amount: 10, end: 1 }, 0, { balance: 3, held: 8 })).toEqual([0, 3])
    expect(judge({ amount: 10, end: 1 }, 0, { balance: -3, held: 8 })).toEqual([0, 0])
  })
})

describe('what expires of a balance', () => {
  it('is what is left of each open grant, the soonest first', () => {
    const grants = [
      { id: 'a', amount: 10, end: 9 },
      { id: 'b', amount: 10, end: 5 },
      { id: 'c', amount: 10, end: 1, until: 0, returned: 10 },
    ]
    expect(left(grants, { balance: 100, charged: 4 })).toEqual([
      ['b', 6],
      ['a', 10],
    ])
    expect(left(grants, { balance: 100, charged: 10 })).toEqual([['a', 10]])
    expect(left(grants, { balance: 8, charged: 4 })).toEqual([
      ['b', 6],
      ['a', 2],
    ])
    expect(left(grants, { balance: -1, charged: 4 })).toEqual([])
  })

  it('is not what has gone back of a grant that is ending, and nothing of one that is closed', () => {
    expect(left([{ amount: 10, end: 1, returned: 7, due: 3 }], { balance: 100, charged: 1 })).toEqual([['a', 2]])
    expect(left([{ amount: 10, end: 1, until: 0, returned: 7 }], { balance: 100, charged: 0 })).toEqual([])
  })

  it('is listed by the end, and of several with the same end the oldest first', () => {
    const ids = ['c', 'a', 'b'].map((id) => grantOf({ id, amount: 1, end: 5 }))
    const sooner = grantOf({ id: 'd', amount: 1, end: 4 })
    for (const grants of [
      [...ids, sooner],
      [sooner, ...ids.toReversed()],
    ]) {
      expect(inOrderOfEnd(grants).map(({ id }) => id)).toEqual(['d', 'a', 'b', 'c'])
    }
  })
})

/** The operations on a wallet, in order. */
type Step =
  | { readonly do: 'charge' | 'pay' | 'refund' | 'hold'; readonly amount: number }
  | { readonly do: 'grant'; readonly amount: number; readonly end: number }
  | { readonly do: 'wait'; readonly time: number }

const amount = fc.integer({ min: 1, max: 20 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('charge' as const), amount }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('grant' as const), amount, end: fc.integer({ min: 1, max: 12 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pay' as const), amount }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refund' as const), amount }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('hold' as const), amount: fc.integer({ min: 0, max: 30 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), time: fc.integer({ min: 0, max: 5 }) }) },
)

it('agrees with a simulation that walks every nano-dollar of every charge', () => {
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), walk), { numRuns: 2_000 })
})

/**
 * A model of a wallet that deducts every nano-dollar from the right grant, so each grant knows its remaining amount.
 */
function walk(steps: readonly Step[]): void {
  let now = 0
  let [balance, held, charged] = [0, 0, 0]
  const sums = { paid: 0, refunded: 0, granted: 0, returned: 0 }
  let grants: Grant[] = []
  const left = new Map<string, number>()
  const openInOrder = () => inOrderOfEnd(grants).filter(({ chargedUntil }) => chargedUntil === null)
  const agree = () => {
    const told = usedOfGrants(grants, nano(charged))
    for (const grant of openInOrder()) {
      expect(grant.amount - grant.returned - (told.get(grant.id) ?? zeroUsd)).toBe(nano(left.get(grant.id) ?? 0))
    }
    expect(balance).toBe(sums.paid - sums.refunded + sums.granted - sums.returned - charged)
  }
  for (const each of steps) {
    switch (each.do) {
      case 'charge':
        for (let unit = 0; unit < each.amount; unit += 1) {
          const source = openInOrder().find(({ id }) => (left.get(id) ?? 0) > 0)
          if (source !== undefined) left.set(source.id, (left.get(source.id) ?? 0) - 1)
        }
        charged += each.amount
        balance -= each.amount
        held = Math.max(0, held - each.amount)
        break
      case 'grant': {
        const id = String(grants.length).padStart(3, '0')
        grants.push(grantOf({ id, amount: each.amount, from: charged, end: now + each.end }))
        left.set(id, each.amount)
        sums.granted += each.amount
        balance += each.amount
        break
      }
      case 'pay':
        sums.paid += each.amount
        balance += each.amount
        break
      case 'refund':
        sums.refunded += each.amount
        balance -= each.amount
        break
      case 'hold':
        held = Math.min(each.amount, Math.max(balance, 0))
        break
      case 'wait':
        now += each.time
        for (const ended of openInOrder().filter(({ expiresAtMs }) => expiresAtMs <= now)) {
          const unused = left.get(ended.id) ?? 0
          const told = usedOfGrants(grants, nano(charged)).get(ended.id) ?? zeroUsd
          const { back, due } = judgeExpiry(ended, told, { balance: nano(balance), held: nano(held) })
          expect(back).toBeLessThanOrEqual(unused)
          expect(balance - Number(back)).toBeGreaterThanOrEqual(Math.min(balance, held))
          balance -= Number(back)
          sums.returned += Number(back)
          left.set(ended.id, unused - Number(back))
          const change = {
            returned: nanoUsd(ended.returned + back),
            due,
            chargedUntil: due === 0n ? nano(charged) : null,
          }
          grants = grants.map((grant) => (grant.id === ended.id ? { ...grant, ...change } : grant))
        }
        break
    }
    agree()
  }
}
