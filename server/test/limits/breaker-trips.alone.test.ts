import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import { createBreakerTrips } from '#store/postgres/breakers/breaker-trips.ts'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { stopClock, type TestClock } from './clock.ts'
import { type Person, type Place, type SpendWorld, startSpendWorld } from './spend-world.ts'

let clock: TestClock
let world: SpendWorld
let place: Place
let ada: Person

beforeAll(async () => {
  clock = stopClock('2044-01-01T00:00:30Z')
  world = await startSpendWorld()
})
afterAll(async () => {
  await world.close()
  clock.restore()
})
beforeEach(async () => {
  clock.forward(3_600_000)
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
    await set(layer, 0.01, 1)
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
        details: { scope: layer, window: 'minute', limitUsd: 0.01 },
      },
    ])
  })

  it('[AUDIT-01] leaves one entry for each scope and window, and none within the hour after', async () => {
    await set('member', 0.01, 0.015)
    await set('organization', 0.5, 0.5)
    expect([await statusOf(ada), await statusOf(ada), await statusOf(ada)]).toEqual([200, 429, 429])
    clock.forward(60_000)
    expect(await statusOf(ada)).toBe(200)
    clock.forward(60_000)
    // Now the hour is full as well.
    expect([await statusOf(ada), await statusOf(ada)]).toEqual([429, 429])
    await expect.poll(tripsOf).toHaveLength(2)
    expect((await tripsOf()).map(({ details }) => details?.['window'])).toEqual(['minute', 'hour'])
  })

  it('[AUDIT-01] leaves one entry though two processes refuse hundreds of calls', async () => {
    const second = await startSecondGateway(world, { WEIR_LIMITS_INFERENCE_FUNDED: '100000' })
    await set('team', 0.01, 1)
    expect(await statusOf(ada)).toBe(200)
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, turn) => {
        const person = place.teams[0].people[turn % 2] ?? ada
        return callChat({ url: turn % 2 === 0 ? world.url : second.url, key: person.key }, { max_tokens: 500 })
      }),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([429]))
    // Closing waits for what is still being written.
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
    expect([await statusOf(ada), await statusOf(ada)]).toEqual([200, 429])
    expect((await world.pool.query('SELECT 1 FROM breaker_trips WHERE owner_id = $1', [ada.userId])).rows).toEqual([])
  })
})

describe('what the store is told of trips', () => {
  it('[AUDIT-01] becomes another entry once an hour has passed, and not a moment before', async () => {
    const trips = createBreakerTrips(world.pool, Date.now)
    const { organizationId } = place
    const trip = {
      kind: 'team_hour',
      ownerId: newUuid(Date.now()),
      organizationId,
      limit: parseUsd('5'),
      requestId: null,
    }
    const age = (interval: string): Promise<unknown> =>
      world.pool.query('UPDATE breaker_trips SET last_at = now() - $2::interval WHERE owner_id = $1', [
        trip.ownerId,
        interval,
      ])
    const answers = await Promise.all(Array.from({ length: 20 }, () => trips.note(trip)))
    expect(answers.every(({ quietMs }) => quietMs > 3_590_000 && quietMs <= 3_600_000)).toBe(true)
    expect(await tripsOf()).toHaveLength(1)
    await age('59 minutes 50 seconds')
    const { quietMs } = await trips.note(trip)
    expect(quietMs).toBeGreaterThan(0)
    expect(quietMs).toBeLessThanOrEqual(10_000)
    expect(await tripsOf()).toHaveLength(1)
    await age('60 minutes')
    await trips.note(trip)
    expect(await tripsOf()).toHaveLength(2)
  })
})
