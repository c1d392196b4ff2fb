import type { Pool, PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import { claimTrips, createBreakerTrips } from '#store/postgres/breakers/breaker-trips.ts'
import { inTransaction } from '#store/postgres/with-client.ts'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { type Person, type Place, type SpendWorld, startSpendWorld } from './spend-world.ts'

const hourMs = 3_600_000
const clock = createTestClock('2044-01-01T00:00:30Z')
let world: SpendWorld
let place: Place
let ada: Person

beforeAll(async () => {
  world = await startSpendWorld(clock)
})
afterAll(() => world.close())
beforeEach(async () => {
  clock.forward(hourMs)
  place = await world.newPlace()
  ;[ada] = place.teams[0].people
})

type Layer = 'organization' | 'team' | 'member'

async function set(layer: Layer, minuteUsd: number, hourUsd: number): Promise<void> {
  const paths = { organization: '', team: `/teams/${place.teams[0].teamId}`, member: `/members/${ada.memberId}` }
  const path = `/api/orgs/${place.organizationId}${paths[layer]}/circuit-breaker`
  const body = { cbEnabled: true, cbMinuteUsd: minuteUsd, cbHourlyUsd: hourUsd }
  expect((await world.send(place.admin, 'PATCH', path, body)).status).toBe(200)
}

async function tripsOf() {
  const entries = await world.auditOf(place.organizationId)
  return entries.filter(({ action }) => action.endsWith('.cb.tripped'))
}

const statusOf = async (caller: { key: string }): Promise<number> => (await world.spend(caller)).status

describe('a breaker that trips', () => {
  it.each([
    ['organization', 'org.cb.tripped'],
    ['team', 'team.cb.tripped'],
    ['member', 'org_member.cb.tripped'],
  ] as const)('[AUDIT-01] (%s) leaves %s with scope, window and limit', async (layer, action) => {
    await set(layer, 0.006, 1)
    const refused = [await statusOf(ada), await world.spend(ada)] as const
    expect([refused[0], refused[1].status]).toEqual([200, 429])
    await expect.poll(tripsOf).toHaveLength(1)
    const target = { organization: place.organizationId, team: place.teams[0].teamId, member: ada.memberId }[layer]
    expect(await tripsOf()).toMatchObject([
      {
        action,
        actor_kind: 'system',
        target_kind: layer,
        target_id: target,
        request_id: refused[1].headers.get('x-request-id'),
        details: { scope: layer, window: 'minute', limitUsd: 0.006 },
      },
    ])
  })

  it('[AUDIT-01] leaves one entry for each scope and window, and none within the hour after', async () => {
    await set('member', 0.006, 0.012)
    await set('organization', 0.5, 0.5)
    expect([await statusOf(ada), await statusOf(ada), await statusOf(ada)]).toEqual([200, 429, 429])
    clock.forward(60_000)
    expect(await statusOf(ada)).toBe(200)
    clock.forward(60_000)
    // Now the hour is used up as well.
    expect([await statusOf(ada), await statusOf(ada)]).toEqual([429, 429])
    await expect.poll(tripsOf).toHaveLength(2)
    expect((await tripsOf()).map(({ details }) => details?.['window'])).toEqual(['minute', 'hour'])
  })

  it('[AUDIT-01] leaves one entry though two processes refuse hundreds of calls', async () => {
    const second = await startSecondGateway(world, { WEIR_LIMITS_INFERENCE_FUNDED: '100000' }, clock)
    await set('team', 0.006, 1)
    expect(await statusOf(ada)).toBe(200)
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, turn) => {
        const person = place.teams[0].people[turn % 2] ?? ada
        return callChat({ url: turn % 2 === 0 ? world.url : second.url, key: person.key }, { max_tokens: 500 })
      }),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([429]))
    // Closing waits for pending writes.
    await second.close()
    await expect.poll(tripsOf).toHaveLength(1)
    expect(await tripsOf()).toHaveLength(1)
  })

  it('leaves nothing when a budget, a cap or the wallet refuses', async () => {
    await set('member', 1, 1)
    const path = `/v1/orgs/${place.organizationId}/members/${ada.memberId}`
    await world.send(place.admin, 'PATCH', path, { monthlyBudget: 0.01 })
    expect([await statusOf(ada), await statusOf(ada)]).toEqual([200, 402])
    expect((await world.pool.query('SELECT 1 FROM breaker_trips WHERE owner_id = $1', [ada.memberId])).rows).toEqual([])
  })

  it("leaves nothing in the organization's log when it is a person's own", async () => {
    await world.pool.query(
      'UPDATE users SET breaker_enabled = true, breaker_minute_nano = 10000000, breaker_hour_nano = 1000000000 WHERE id = $1',
      [ada.userId],
    )
    expect([await statusOf(ada), await statusOf(ada), await statusOf(ada)]).toEqual([200, 200, 429])
    expect((await world.pool.query('SELECT 1 FROM breaker_trips WHERE owner_id = $1', [ada.userId])).rows).toEqual([])
  })
})

describe('what the store is told of trips', () => {
  it('[AUDIT-01] becomes another entry once an hour has passed, and not a moment before', async () => {
    const trips = createBreakerTrips(world.pool, clock.nowMs)
    const { organizationId } = place
    const trip = {
      kind: 'team_hour',
      ownerId: newUuid(clock.nowMs()),
      organizationId,
      limit: parseUsd('5'),
      requestId: null,
    }
    const age = (connection: Pool | PoolClient, interval: string): Promise<unknown> =>
      connection.query('UPDATE breaker_trips SET last_at = now() - $2::interval WHERE owner_id = $1', [
        trip.ownerId,
        interval,
      ])
    const answers = await Promise.all(Array.from({ length: 20 }, () => trips.note(trip)))
    const { rows } = await world.pool.query<{ left_ms: number }>(
      `SELECT extract(epoch FROM last_at + interval '1 hour' - clock_timestamp())::float8 * 1000 AS left_ms
       FROM breaker_trips WHERE owner_id = $1`,
      [trip.ownerId],
    )
    const leftMs = rows[0]?.left_ms ?? Number.NaN
    expect(answers.every(({ quietMs }) => quietMs >= leftMs && quietMs <= hourMs)).toBe(true)
    expect(await tripsOf()).toHaveLength(1)
    // Postgres' clock stands still within a transaction, so the test knows the edge to the millisecond.
    await inTransaction(world.pool, 'READ COMMITTED', async (client) => {
      await age(client, '59 minutes 59.999 seconds')
      expect(await claimTrips(client, [trip])).toEqual([{ isClaimed: false, quietMs: expect.closeTo(1, 3) }])
      await age(client, '60 minutes')
      expect(await claimTrips(client, [trip])).toEqual([{ isClaimed: true, quietMs: hourMs }])
    })
    await age(world.pool, '30 minutes')
    await trips.note(trip)
    expect(await tripsOf()).toHaveLength(1)
    await age(world.pool, '60 minutes')
    await trips.note(trip)
    expect(await tripsOf()).toHaveLength(2)
  })
})
