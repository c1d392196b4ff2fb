import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { type Place, type SpendWorld, startSpendWorld } from './spend-world.ts'

let world: SpendWorld
let place: Place

beforeAll(async () => {
  world = await startSpendWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  place = await world.newPlace()
})

const layers = ['organization', 'team', 'member'] as const
type Layer = (typeof layers)[number]

function pathOf(layer: Layer, { organizationId, teams }: Place): string {
  const paths = {
    organization: '',
    team: `/teams/${teams[0].teamId}`,
    member: `/members/${teams[0].people[0].memberId}`,
  }
  return `/api/orgs/${organizationId}${paths[layer]}/circuit-breaker`
}

async function get(layer: Layer): Promise<JsonObject> {
  const answer = await world.send(place.admin, 'GET', pathOf(layer, place))
  expect(answer.status).toBe(200)
  return answer.json
}

async function patch(layer: Layer, body: JsonObject): Promise<JsonObject> {
  const answer = await world.send(place.admin, 'PATCH', pathOf(layer, place), body)
  expect(answer.status).toBe(200)
  return answer.json
}

const unset = { cbEnabled: null, cbMinuteUsd: null, cbHourlyUsd: null }
const defaults = { cbEnabled: false, cbMinuteUsd: 5, cbHourlyUsd: 20 }

describe('the breaker of an organization, a team or a member', () => {
  it.each(layers)(
    '[BREAKER-01] [BREAKER-03] [BREAKER-04] is shown for a new %s: unset, off, with defaults',
    async (layer) => {
      expect(await get(layer)).toEqual({
        settings: unset,
        resolvedSettings: defaults,
        liveSpend: { minuteSpend: 0, hourSpend: 0 },
      })
    },
  )

  it.each(layers)('[BREAKER-02] [BREAKER-03] (%s) changes by any subset, and null clears one field', async (layer) => {
    expect(await patch(layer, { cbMinuteUsd: 0.25 })).toMatchObject({
      settings: { ...unset, cbMinuteUsd: 0.25 },
      resolvedSettings: { ...defaults, cbMinuteUsd: 0.25 },
    })
    const set = { cbEnabled: true, cbMinuteUsd: 0.25, cbHourlyUsd: 3.000000001 }
    expect(await patch(layer, { cbEnabled: true, cbHourlyUsd: 3.000000001 })).toMatchObject({
      settings: set,
      resolvedSettings: set,
    })
    const cleared = await patch(layer, { cbMinuteUsd: null })
    expect(cleared).toMatchObject({
      settings: { ...set, cbMinuteUsd: null },
      resolvedSettings: { ...set, cbMinuteUsd: 5 },
    })
    expect(await get(layer)).toEqual(cleared)
    expect(await patch(layer, unset)).toMatchObject({ settings: unset, resolvedSettings: defaults })
  })

  it('[BREAKER-05] inherits each field by itself: member over team over organization over the platform', async () => {
    await patch('organization', { cbEnabled: true, cbMinuteUsd: 3 })
    await patch('team', { cbHourlyUsd: 7 })
    await patch('member', { cbMinuteUsd: 1 })
    expect(await get('organization')).toMatchObject({
      resolvedSettings: { cbEnabled: true, cbMinuteUsd: 3, cbHourlyUsd: 20 },
    })
    expect(await get('team')).toMatchObject({
      settings: { ...unset, cbHourlyUsd: 7 },
      resolvedSettings: { cbEnabled: true, cbMinuteUsd: 3, cbHourlyUsd: 7 },
    })
    expect(await get('member')).toMatchObject({
      settings: { ...unset, cbMinuteUsd: 1 },
      resolvedSettings: { cbEnabled: true, cbMinuteUsd: 1, cbHourlyUsd: 7 },
    })
    await patch('team', { cbEnabled: false })
    expect(await get('member')).toMatchObject({ resolvedSettings: { cbEnabled: false } })
    await patch('member', { cbEnabled: true, cbMinuteUsd: null })
    expect(await get('member')).toMatchObject({ resolvedSettings: { cbEnabled: true, cbMinuteUsd: 3, cbHourlyUsd: 7 } })
  })

  it.each([
    { cbMinuteUsd: 0 },
    { cbHourlyUsd: -1 },
    { cbMinuteUsd: '1' },
    { cbMinuteUsd: 1e-10 },
    { cbHourlyUsd: 1e30 },
    { cbEnabled: 'yes' },
    { cbEnabled: 1 },
    {},
  ])('refuses %j with 400, and changes nothing', async (body) => {
    for (const layer of layers) {
      const answer = await world.send(place.admin, 'PATCH', pathOf(layer, place), body)
      expect(answer.status).toBe(400)
      expect(await get(layer)).toMatchObject({ settings: unset })
    }
    expect(await world.auditOf(place.organizationId)).toEqual([])
  })
})

describe('who may change a breaker', () => {
  const body = { cbEnabled: true }
  const statusOf = async (credential: string, layer: Layer, method = 'PATCH', where = place): Promise<number> =>
    (await world.send(credential, method, pathOf(layer, where), method === 'PATCH' ? body : undefined)).status

  it('[BREAKER-11] a plain member may not, nor may a viewer of bills', async () => {
    const { organizationId, teams } = place
    const viewer = await world.addMember(organizationId, { role: 'billing_viewer' })
    for (const { userId } of [teams[0].people[0], viewer]) {
      const session = await world.signIn(userId)
      const { key } = await world.addKey(userId, { type: 'management' })
      for (const layer of layers) {
        expect(await statusOf(session, layer)).toBe(403)
        expect(await statusOf(session, layer, 'GET')).toBe(403)
        expect(await statusOf(key, layer)).toBe(403)
      }
    }
    expect(await get('member')).toMatchObject({ settings: unset })
  })

  it("[BREAKER-11] a team_admin may for the own team and its members, not for others and not for the organization's", async () => {
    const { organizationId, teams } = place
    const insider = await world.addMember(organizationId, { role: 'team_admin', teamId: teams[0].teamId })
    const outsider = await world.addMember(organizationId, { role: 'team_admin', teamId: teams[1].teamId })
    const [own, foreign] = [await world.signIn(insider.userId), await world.signIn(outsider.userId)]
    expect(await statusOf(own, 'team')).toBe(200)
    expect(await statusOf(own, 'member')).toBe(200)
    expect(await statusOf(own, 'organization')).toBe(403)
    expect(await statusOf(foreign, 'team')).toBe(403)
    expect(await statusOf(foreign, 'member')).toBe(403)
    const { key } = await world.addKey(outsider.userId, { type: 'management' })
    expect(await statusOf(key, 'team')).toBe(403)
  })

  it('nobody of another organization learns that there is one', async () => {
    const stranger = await world.newPlace()
    for (const layer of layers) expect(await statusOf(stranger.admin, layer)).toBe(404)
    const mixed = { ...stranger, teams: place.teams }
    for (const layer of ['team', 'member'] as const) {
      expect(await statusOf(stranger.admin, layer, 'PATCH', mixed)).toBe(404)
    }
    expect(await get('organization')).toMatchObject({ settings: unset })
  })
})

describe('a change of a breaker', () => {
  it.each([
    ['organization', 'org.cb.update'],
    ['team', 'team.cb.update'],
    ['member', 'org_member.cb.update'],
  ] as const)('[AUDIT-02] (%s) leaves %s with the values before and after, and who it was', async (layer, action) => {
    await patch(layer, { cbEnabled: true, cbMinuteUsd: 0.5 })
    await patch(layer, { cbMinuteUsd: null, cbHourlyUsd: 9 })
    const entries = await world.auditOf(place.organizationId)
    const { rows } = await world.pool.query<{ id: string }>(
      `SELECT k.id FROM api_keys k JOIN members m ON m.user_id = k.user_id
       WHERE m.organization_id = $1 AND m.role = 'org_admin' AND k.type = 'management'`,
      [place.organizationId],
    )
    const target = { organization: place.organizationId, team: place.teams[0].teamId, member: memberId() }[layer]
    const common = { action, actor_kind: 'key', actor_id: rows[0]?.id, target_kind: layer, target_id: target }
    expect(entries).toMatchObject([
      { ...common, before: unset, after: { cbEnabled: true, cbMinuteUsd: 0.5, cbHourlyUsd: null } },
      {
        ...common,
        before: { cbEnabled: true, cbMinuteUsd: 0.5, cbHourlyUsd: null },
        after: { cbEnabled: true, cbMinuteUsd: null, cbHourlyUsd: 9 },
      },
    ])
  })

  it('[AUDIT-02] that changes nothing leaves nothing', async () => {
    await patch('team', { cbMinuteUsd: 2 })
    await patch('team', { cbMinuteUsd: 2 })
    expect(await world.auditOf(place.organizationId)).toHaveLength(1)
  })

  it('[AUDIT-02] made by two people at once shows what each of them found', async () => {
    await Promise.all([1, 2, 3, 4, 5].map((limit) => patch('organization', { cbHourlyUsd: limit })))
    const entries = await world.auditOf(place.organizationId)
    expect(entries.map(({ before }) => before)).toEqual([unset, ...entries.slice(0, -1).map(({ after }) => after)])
  })
})

function memberId(): string {
  return place.teams[0].people[0].memberId
}
