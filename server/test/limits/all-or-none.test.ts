import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { type Place, type SpendWorld, startSpendWorld } from './spend-world.ts'

const clock = createTestClock('2043-01-07T12:00:15Z')
let world: SpendWorld

beforeAll(async () => {
  world = await startSpendWorld(clock)
})
afterAll(() => world.close())

type Tight =
  | 'wallet'
  | 'key'
  | 'member'
  | 'team'
  | 'organization'
  | 'member breaker'
  | 'team breaker'
  | 'organization breaker'

/** Every scope has a limit; all but one fit many requests, and that one fits a single request. */
async function callerWith(place: Place, tight: Tight): Promise<{ key: string; keyId: string }> {
  const { organizationId, admin, teams } = place
  const [{ teamId, people }] = teams
  // A request costs 0.006: a breaker rejects once that is reached, other limits once a request does not fit.
  const least = tight.endsWith('breaker') ? 0.006 : 0.01
  const usd = (scope: Tight): number => (scope === tight ? least : 100)
  const patch = async (path: string, body: JsonObject): Promise<void> => {
    expect((await world.send(admin, 'PATCH', path, body)).status).toBe(200)
  }
  for (const [layer, path] of [
    ['organization', ''],
    ['team', `/teams/${teamId}`],
    ['member', `/members/${people[0].memberId}`],
  ] as const) {
    await patch(`/v1/orgs/${organizationId}${path}`, { monthlyBudget: usd(layer) })
    const limit = usd(`${layer} breaker`)
    const breaker = { cbEnabled: true, cbMinuteUsd: limit, cbHourlyUsd: 100 }
    await patch(`/api/orgs/${organizationId}${path}/circuit-breaker`, breaker)
  }
  if (tight === 'wallet') {
    await world.pool.query('UPDATE wallets SET balance_nano = 10000000, credited_nano = 10000000 WHERE id = $1', [
      place.walletId,
    ])
    await world.pool.query('UPDATE ledger_transfers SET amount_nano = 10000000 WHERE wallet_id = $1', [place.walletId])
  }
  const terms = { limit: parseUsd(String(usd('key'))), period: 'day' } as const
  return world.addOrganizationKey(organizationId, { memberId: people[0].memberId, terms })
}

async function sumsOf(place: Place, keyId: string): Promise<unknown> {
  const [{ teamId, people }] = place.teams
  const owners = [keyId, people[0].memberId, teamId, place.organizationId]
  const windows = await Promise.all(owners.map((owner) => world.windowsOf(owner)))
  return { windows: windows.flat(), wallet: await world.walletOf(place.walletId) }
}

describe('a call that one limit refuses', () => {
  it.each([
    ['wallet', 402, 'insufficient_credits'],
    ['key', 402, 'spend_limit_exceeded'],
    ['member', 402, 'budget_cap_reached'],
    ['team', 402, 'budget_cap_reached'],
    ['organization', 402, 'budget_cap_reached'],
    ['member breaker', 429, 429],
    ['team breaker', 429, 429],
    ['organization breaker', 429, 429],
  ] as const)('[HOLD-14] [P2] (%s) leaves none of the others reduced', async (tight, status, code) => {
    const place = await world.newPlace()
    const caller = await callerWith(place, tight)
    expect((await world.spend(caller)).status).toBe(200)
    await world.settled()
    const before = await sumsOf(place, caller.keyId)
    const replies = await Promise.all(Array.from({ length: 10 }, () => world.spend(caller)))
    for (const reply of replies) {
      expect(reply.status).toBe(status)
      expect(reply.json).toMatchObject({ error: { code } })
    }
    expect(await sumsOf(place, caller.keyId)).toEqual(before)
    await world.expectSoundBooks()
  })
})
