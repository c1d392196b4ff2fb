import { expect } from 'vitest'
import { seedHistory } from '../../../server/src/bin/dev/history/seed-history.ts'
import type { TestClient } from '../../../server/test/setup/accounts.ts'
import type { World } from './world.ts'

let seeded: Promise<TestClient> | undefined

/** The person of `npm run dev` with a month of requests, once the rollup has read them. Shared by all test files. */
export function seededPerson(world: World): Promise<TestClient> {
  seeded ??= seed(world)
  return seeded
}

async function seed({ gateway }: World): Promise<TestClient> {
  const person = await gateway.createClient({ usd: '25' })
  await seedHistory(gateway.pool, person, { seed: 7, nowMs: Date.now() })
  await summedUp(gateway, person)
  return person
}

/** Waits until the rollup has read every request of the wallet. */
export async function summedUp(gateway: World['gateway'], { walletId }: Pick<TestClient, 'walletId'>): Promise<void> {
  const counts = () =>
    gateway.pool.query<{ settled: string; summed: string }>(
      `SELECT (SELECT count(*) FROM generations WHERE wallet_id = $1) AS settled,
        (SELECT coalesce(sum(requests), 0) FROM usage_hours WHERE wallet_id = $1) AS summed`,
      [walletId],
    )
  await expect
    .poll(async () => {
      const [row] = (await counts()).rows
      return row !== undefined && row.settled === row.summed
    })
    .toBe(true)
}
