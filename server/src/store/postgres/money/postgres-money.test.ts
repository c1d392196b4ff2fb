import { Pool } from 'pg'
import { expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { SettleEntry } from '#ports/money.ts'
import { settleEntry } from '#test/money/settles.ts'
import { createPostgresMoney } from './postgres-money.ts'

/** A pool whose database is unreachable. */
class AbsentPool extends Pool {
  override query(): Promise<never> {
    return Promise.reject(new Error('away'))
  }
}

function startMoney() {
  const spooled: SettleEntry[] = []
  const faults: unknown[] = []
  const pool = new AbsentPool()
  const money = createPostgresMoney({
    holdPool: pool,
    settlePool: pool,
    spool: {
      append: async (entry) => {
        spooled.push(entry)
      },
      replay: async () => 0,
      waiting: 0,
    },
    leaseMs: 60_000,
    holdDeadlineMs: 60_000,
    settleDeadlineMs: 60_000,
    onSpooled: (error) => faults.push(error),
  })
  return { money, spooled, faults }
}

const owner = { walletId: 'w', keyId: 'k', userId: null }

it('20,000 holds may wait; one more is refused at once, and may be tried again', async () => {
  const { money } = startMoney()
  const hold = (id: string) => money.hold({ id, ...owner, amount: nanoUsd(1n), windows: [] })
  const waiting = Promise.allSettled(Array.from({ length: 20_000 }, (_, index) => hold(`h${index}`)))
  expect(money.depth.holds).toBe(20_000)
  await expect(hold('one more')).rejects.toMatchObject({
    errorName: 'storeUnavailable',
    inside: 'too many holds are queued',
    retryAfterS: 2,
  })
  const results = await waiting
  expect(results[0]).toMatchObject({ status: 'rejected', reason: { errorName: 'storeUnavailable', inside: 'away' } })
})

it('50,000 settles may wait; one more goes to the spool at once, as those do that could not be sent', async () => {
  const { money, spooled, faults } = startMoney()
  const entry = settleEntry({ id: 'g', ...owner }, nanoUsd(7n))
  const waiting = Array.from({ length: 50_000 }, () => money.settle(entry))
  const last = settleEntry({ id: 'one more', ...owner }, nanoUsd(9n))
  expect(await money.settle(last)).toEqual({ cost: 9n, absorbed: 0n })
  expect(spooled).toEqual([last])
  expect(faults).toMatchObject([{ errorName: 'storeUnavailable', inside: 'too many settlements are queued' }])
  await Promise.all(waiting)
  expect(spooled).toHaveLength(50_001)
  expect(faults.at(-1)).toEqual(new Error('away'))
})
