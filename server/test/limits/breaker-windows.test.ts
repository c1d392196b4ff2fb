import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { type Person, type Place, type SpendWorld, startSpendWorld } from './spend-world.ts'

const clock = createTestClock('2040-01-01T00:00:00Z')
let world: SpendWorld
let place: Place
let ada: Person
/** A member of the same team. */
let ben: Person
/** A member of the other team. */
let eve: Person

beforeAll(async () => {
  world = await startSpendWorld(clock)
})
afterAll(() => world.close())
beforeEach(async () => {
  // Each test has its own hour.
  clock.forward(7_200_000 - (clock.nowMs() % 3_600_000))
  world.answerWith(500)
  place = await world.newPlace()
  ;[ada, ben] = place.teams[0].people
  ;[eve] = place.teams[1].people
})

type Layer = 'organization' | 'team' | 'member'

function pathOf(layer: Layer): string {
  const paths = { organization: '', team: `/teams/${place.teams[0].teamId}`, member: `/members/${ada.memberId}` }
  return `/api/orgs/${place.organizationId}${paths[layer]}/circuit-breaker`
}

async function set(layer: Layer, body: JsonObject): Promise<void> {
  expect((await world.send(place.admin, 'PATCH', pathOf(layer), body)).status).toBe(200)
}

async function liveSpendOf(layer: Layer): Promise<unknown> {
  return (await world.send(place.admin, 'GET', pathOf(layer))).json['liveSpend']
}

/** Moves the clock within the current hour, which started at a full one. */
function at(minute: number, second: number, ms = 0): void {
  const hourStart = clock.nowMs() - (clock.nowMs() % 3_600_000)
  clock.set(new Date(hourStart + minute * 60_000 + second * 1_000 + ms).toISOString())
}

const statusOf = async (caller: { key: string }): Promise<number> => (await world.spend(caller)).status

describe('a breaker that trips', () => {
  it.each(['organization', 'team', 'member'] as const)(
    '[BREAKER-06] [BREAKER-09] (%s) refuses until the clock minute ends, then lets pass by itself',
    async (layer) => {
      await set(layer, { cbEnabled: true, cbMinuteUsd: 0.006, cbHourlyUsd: 1 })
      at(10, 45)
      expect(await statusOf(ada)).toBe(200)
      const tripped = await world.spend(ada)
      expect(tripped.status).toBe(429)
      expect(tripped.json).toMatchObject({
        error: { code: 429, message: expect.stringContaining(`${layer} scope, minute window`) },
      })
      expect(tripped.headers.get('retry-after')).toBe('15')
      expect(tripped.headers.get('x-should-retry')).toBe('false')
      at(10, 59, 999)
      expect(await statusOf(ada)).toBe(429)
      at(11, 0)
      expect(await statusOf(ada)).toBe(200)
      await world.expectSoundBooks()
    },
  )

  it.each(['organization', 'team', 'member'] as const)(
    '[BREAKER-07] [BREAKER-09] (%s) refuses until the clock hour ends, then lets pass by itself',
    async (layer) => {
      await set(layer, { cbEnabled: true, cbMinuteUsd: 1, cbHourlyUsd: 0.012 })
      at(10, 0)
      expect(await statusOf(ada)).toBe(200)
      at(20, 0)
      expect(await statusOf(ada)).toBe(200)
      at(45, 0)
      const tripped = await world.spend(ada)
      expect(tripped.status).toBe(429)
      expect(tripped.json).toMatchObject({
        error: { code: 429, message: expect.stringContaining(`${layer} scope, hour window`) },
      })
      expect(tripped.headers.get('retry-after')).toBe('900')
      at(59, 59, 999)
      expect(await statusOf(ada)).toBe(429)
      at(60, 0)
      expect(await statusOf(ada)).toBe(200)
      await world.expectSoundBooks()
    },
  )

  it('[BREAKER-08] of a member leaves other members working', async () => {
    await set('member', { cbEnabled: true, cbMinuteUsd: 0.006 })
    expect([await statusOf(ada), await statusOf(ada)]).toEqual([200, 429])
    expect([await statusOf(ben), await statusOf(ben), await statusOf(eve)]).toEqual([200, 200, 200])
  })

  it('[BREAKER-08] of a team leaves other teams working', async () => {
    await set('team', { cbEnabled: true, cbMinuteUsd: 0.006 })
    expect([await statusOf(ada), await statusOf(ben), await statusOf(ada)]).toEqual([200, 429, 429])
    expect([await statusOf(eve), await statusOf(eve)]).toEqual([200, 200])
  })

  it('[BREAKER-08] of an organization stops all of it, and nobody else', async () => {
    await set('organization', { cbEnabled: true, cbMinuteUsd: 0.006 })
    expect([await statusOf(ada), await statusOf(ben), await statusOf(eve)]).toEqual([200, 429, 429])
    const other = await world.newPlace()
    expect(await statusOf(other.teams[0].people[0])).toBe(200)
  })
})

describe('a breaker that is enabled without thresholds', () => {
  it('[BREAKER-04] [BREAKER-90] trips at $5 a minute, and lets a call pass that is dearer by itself', async () => {
    await set('member', { cbEnabled: true })
    // A completion token is $0.000012: 416,667 are slightly more than $5, and the hold covers that many.
    world.answerWith(416_667)
    expect((await world.call(ada, { max_tokens: 416_667 })).status).toBe(200)
    expect((await world.call(ada, { max_tokens: 1 })).status).toBe(429)
    expect((await world.call(ben, { max_tokens: 416_667 })).status).toBe(200)
  })

  it('[BREAKER-04] trips at $20 an hour', async () => {
    await set('member', { cbEnabled: true })
    // $4.8 each, in a minute of its own.
    world.answerWith(400_000)
    for (const minute of [1, 2, 3, 4, 5]) {
      at(minute, 0)
      expect((await world.call(ada, { max_tokens: 400_000 })).status).toBe(200)
    }
    at(6, 0)
    const refused = await world.call(ada, { max_tokens: 1 })
    expect(refused.status).toBe(429)
    expect(refused.text).toContain('hour window')
  })

  it('[BREAKER-90] counts what running calls are expected to cost, and not the most that is held for them', async () => {
    await set('member', { cbEnabled: true })
    const { steps } = vendorCompletion('openai', { kind: 'text', pieces: ['Hi'], usage: { prompt: 10, completion: 5 } })
    world.upstream.forget()
    world.upstream.play({ kind: 'steps', steps: [{ do: 'gate', name: 'all' }, ...steps] })
    // $1.536 are held for each, $0.049 expected.
    const calls = Array.from({ length: 60 }, () => world.call(ada, { max_tokens: 128_000 }))
    await world.upstream.waitForRequests(60)
    world.upstream.release('all')
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]))
    await world.expectSoundBooks()
  })

  it('[BREAKER-90] refuses while what running calls are expected to cost has reached it, though nothing is spent', async () => {
    await set('member', { cbEnabled: true, cbMinuteUsd: 0.1 })
    const { steps } = vendorCompletion('openai', { kind: 'text', pieces: ['Hi'], usage: { prompt: 10, completion: 5 } })
    world.upstream.forget()
    world.upstream.play({ kind: 'steps', steps: [{ do: 'gate', name: 'all' }, ...steps] })
    // $0.049 are expected of each: two leave room, three do not.
    const running = []
    for (const count of [1, 2, 3]) {
      running.push(world.call(ada, { max_tokens: 128_000 }))
      await world.upstream.waitForRequests(count)
    }
    expect((await world.call(ada, { max_tokens: 1 })).status).toBe(429)
    world.upstream.release('all')
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200])
    // They cost less than the estimate, which frees room.
    expect((await world.call(ada, { max_tokens: 1 })).status).toBe(200)
    await world.expectSoundBooks()
  })

  it('[BREAKER-04] is off until then: nothing is refused, and nothing counted', async () => {
    await set('member', { cbMinuteUsd: 0.001, cbHourlyUsd: 0.001 })
    expect([await statusOf(ada), await statusOf(ada)]).toEqual([200, 200])
    expect(await world.windowsOf(ada.memberId)).toEqual([])
  })
})

describe('inheritance', () => {
  it("[BREAKER-05] a member's own threshold counts under a switch that is inherited", async () => {
    await set('member', { cbMinuteUsd: 0.006 })
    expect([await statusOf(ada), await statusOf(ada)]).toEqual([200, 200])
    at(30, 0)
    await set('organization', { cbEnabled: true })
    expect([await statusOf(ada), await statusOf(ada), await statusOf(ben)]).toEqual([200, 429, 200])
    at(31, 0)
    await set('team', { cbEnabled: false })
    expect([await statusOf(ada), await statusOf(ada)]).toEqual([200, 200])
  })
})

describe('a breaker that is switched on within a window', () => {
  it.each(['organization', 'team', 'member'] as const)(
    '(%s) counts what the window has seen already, also when it was on and off before',
    async (layer) => {
      at(10, 0)
      expect(await statusOf(ada)).toBe(200)
      await set(layer, { cbEnabled: true, cbMinuteUsd: 0.012 })
      expect([await statusOf(ada), await statusOf(ada)]).toEqual([200, 429])
      await set(layer, { cbEnabled: false })
      expect([await statusOf(ada), await statusOf(ada)]).toEqual([200, 200])
      await set(layer, { cbEnabled: true, cbMinuteUsd: 0.024 })
      expect(await statusOf(ada)).toBe(429)
      await set(layer, { cbMinuteUsd: 0.031 })
      expect(await statusOf(ada)).toBe(200)
      expect(
        await world.windowsOf(
          { organization: place.organizationId, team: place.teams[0].teamId, member: ada.memberId }[layer],
        ),
      ).toMatchObject([
        { kind: `${layer}_hour`, spent: '30000000', held: '0' },
        { kind: `${layer}_minute`, spent: '30000000', held: '0' },
      ])
    },
  )

  it('through a wider layer counts it for those who inherit the switch', async () => {
    await set('organization', { cbEnabled: true, cbMinuteUsd: 1 })
    await set('member', { cbMinuteUsd: 0.012 })
    expect(await statusOf(ada)).toBe(200)
    await set('organization', { cbEnabled: false })
    expect(await statusOf(ada)).toBe(200)
    await set('organization', { cbEnabled: true })
    expect(await statusOf(ada)).toBe(429)
  })
})

it('[BREAKER-01] shows what is spent and reserved in this minute and hour, whether it is on or off', async () => {
  at(10, 0)
  await world.spend(ada)
  at(11, 0)
  await set('team', { cbEnabled: true, cbMinuteUsd: 1 })
  await world.spend(ben)
  await world.spend(eve)
  expect(await liveSpendOf('member')).toEqual({ minuteSpend: 0, hourSpend: 0.006 })
  expect(await liveSpendOf('team')).toEqual({ minuteSpend: 0.006, hourSpend: 0.012 })
  expect(await liveSpendOf('organization')).toEqual({ minuteSpend: 0.012, hourSpend: 0.018 })
  const { steps } = vendorCompletion('openai', { kind: 'text', pieces: ['Hi'] })
  world.upstream.play({ kind: 'steps', steps: [{ do: 'gate', name: 'thinking' }, ...steps] })
  const running = world.spend(ada)
  await world.upstream.waitForGate('thinking')
  expect(await liveSpendOf('team')).toEqual({ minuteSpend: 0.012015, hourSpend: 0.018015 })
  world.upstream.release('thinking')
  await running
})
