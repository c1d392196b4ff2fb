import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { type Person, type Place, type SpendWorld, startSpendWorld } from './spend-world.ts'

// A Wednesday.
const clock = createTestClock('2042-01-01T12:00:00Z')
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
  world.answerWith(500)
  place = await world.newPlace()
  ;[ada, ben] = place.teams[0].people
  ;[eve] = place.teams[1].people
})

type Layer = 'organization' | 'team' | 'member'

async function set(layer: Layer, body: JsonObject): Promise<void> {
  const paths = { organization: '', team: `/teams/${place.teams[0].teamId}`, member: `/members/${ada.memberId}` }
  const answer = await world.send(place.admin, 'PATCH', `/v1/orgs/${place.organizationId}${paths[layer]}`, body)
  expect(answer.status).toBe(200)
}

const statusOf = async (caller: { key: string }): Promise<number> => (await world.spend(caller)).status

async function statusesAt(caller: { key: string }, moments: readonly string[]): Promise<number[]> {
  const found: number[] = []
  for (const moment of moments) {
    clock.set(moment)
    found.push(await statusOf(caller))
  }
  return found
}

describe('a budget', () => {
  it('[BUDGET-01] of a member that is used up answers 402 while other members go on', async () => {
    await set('member', { monthlyBudget: 0.01 })
    expect(await statusOf(ada)).toBe(200)
    const refused = await world.spend(ada)
    expect(refused.status).toBe(402)
    expect(refused.json).toMatchObject({
      error: { code: 'budget_cap_reached', message: expect.stringContaining("member's monthly budget") },
    })
    expect([await statusOf(ben), await statusOf(eve)]).toEqual([200, 200])
    await world.expectSoundBooks()
  })

  it('[BUDGET-01] of a member counts over all of the keys the member has there', async () => {
    await set('member', { monthlyBudget: 0.01 })
    const second = await world.addOrganizationKey(place.organizationId, { memberId: ada.memberId })
    expect([await statusOf(second), await statusOf(ada)]).toEqual([200, 402])
  })

  it('[BUDGET-02] of a team that is used up answers 402 to all its members while other teams go on', async () => {
    await set('team', { monthlyBudget: 0.01 })
    expect(await statusOf(ada)).toBe(200)
    for (const person of [ada, ben]) {
      const refused = await world.spend(person)
      expect(refused.status).toBe(402)
      expect(refused.json).toMatchObject({
        error: { code: 'budget_cap_reached', message: expect.stringContaining("team's monthly budget") },
      })
    }
    expect([await statusOf(eve), await statusOf(eve)]).toEqual([200, 200])
  })

  it.each(['team', 'member'] as const)('[BUDGET-03] of null is none (%s)', async (layer) => {
    await set(layer, { monthlyBudget: 0.01 })
    expect([await statusOf(ada), await statusOf(ada)]).toEqual([200, 402])
    await set(layer, { monthlyBudget: null })
    expect([await statusOf(ada), await statusOf(ada)]).toEqual([200, 200])
  })

  it.each([
    ['organization', 'weeklyBudget', "organization's weekly budget"],
    ['organization', 'monthlyBudget', "organization's monthly budget"],
    ['team', 'monthlyBudget', "team's monthly budget"],
    ['member', 'monthlyBudget', "member's monthly budget"],
  ] as const)(
    '[ERR-48] (%s, %s) is named by its own code while wallet and key still have room',
    async (layer, field, title) => {
      const { key } = await world.addOrganizationKey(place.organizationId, {
        memberId: ada.memberId,
        terms: { limit: parseUsd('500'), period: 'month' },
      })
      await set(layer, { [field]: 0.01 })
      expect(await statusOf({ key })).toBe(200)
      const refused = await world.spend({ key })
      expect(refused.status).toBe(402)
      expect(refused.json).toMatchObject({
        error: { code: 'budget_cap_reached', message: expect.stringContaining(title) },
      })
      expect(refused.text).toContain('$0.004 is left')
    },
  )

  it.each(['team', 'member'] as const)(
    '[BUDGET-04] [P15] (%s) begins anew on the first, without any action',
    async (layer) => {
      await set(layer, { monthlyBudget: 0.01 })
      expect(
        await statusesAt(ada, [
          '2042-01-31T12:00:00Z',
          '2042-01-31T23:59:59.999Z',
          '2042-02-01T00:00:00Z',
          '2042-02-28T23:59:59Z',
          '2042-03-01T00:00:00Z',
        ]),
      ).toEqual([200, 402, 200, 402, 200])
    },
  )

  it('[BUDGET-04] [P15] of an organization for a week begins anew on Monday, without any action', async () => {
    await set('organization', { weeklyBudget: 0.01 })
    expect(
      await statusesAt(ada, [
        '2042-03-31T12:00:00Z',
        '2042-04-01T00:00:00Z',
        '2042-04-06T23:59:59.999Z',
        '2042-04-07T00:00:00Z',
        '2042-04-13T23:59:59Z',
      ]),
    ).toEqual([200, 402, 402, 200, 402])
  })

  it.each(['organization', 'team', 'member'] as const)(
    'of a period that has begun counts what was spent in it, also if there was another one before (%s)',
    async (layer) => {
      // The last moment of a month and the first of the next.
      expect(await statusesAt(ada, ['2042-04-30T23:59:59.999Z', '2042-05-01T00:00:00Z'])).toEqual([200, 200])
      clock.set('2042-05-31T12:00:00Z')
      await set(layer, { monthlyBudget: 0.015 })
      expect([await statusOf(ada), await statusOf(ada)]).toEqual([200, 402])
      await set(layer, { monthlyBudget: null })
      expect(await statusOf(ada)).toBe(200)
      await set(layer, { monthlyBudget: 0.02 })
      expect(await statusOf(ada)).toBe(402)
      clock.set('2042-06-01T00:00:00Z')
      expect(await statusOf(ada)).toBe(200)
    },
  )
})

describe("the cap of an organization's key", () => {
  it.each([
    ['day', '2042-07-08T23:59:59.999Z', '2042-07-09T00:00:00Z'],
    ['week', '2042-07-13T23:59:59.999Z', '2042-07-14T00:00:00Z'],
    ['month', '2042-07-31T23:59:59.999Z', '2042-08-01T00:00:00Z'],
  ] as const)(
    '[KEY-22] per %s counts what is held and what is settled, and begins anew',
    async (period, last, next) => {
      const terms = { limit: parseUsd('0.013'), period }
      const { key } = await world.addOrganizationKey(place.organizationId, { memberId: ada.memberId, terms })
      clock.set('2042-07-08T10:00:00Z')
      world.upstream.forget()
      const { steps } = vendorCompletion('openai', {
        kind: 'text',
        pieces: ['Hi'],
        usage: { prompt: 0, completion: 500 },
      })
      world.upstream.play({ kind: 'steps', steps: [{ do: 'gate', name: 'thinking' }, ...steps] })
      const running = [world.spend({ key }), world.spend({ key })]
      await world.upstream.waitForRequests(2)
      const refused = await world.spend({ key })
      expect(refused.json).toMatchObject({ error: { code: 'spend_limit_exceeded' } })
      expect(refused.text).toContain('$0.00097 is left')
      world.upstream.release('thinking')
      expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200])
      world.upstream.forget()
      world.answerWith(500)
      clock.set(last)
      expect(await statusOf({ key })).toBe(402)
      clock.set(next)
      expect([await statusOf({ key }), await statusOf({ key }), await statusOf({ key })]).toEqual([200, 200, 402])
    },
  )
})
