import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import { type OrganizationWorld, startOrganizationWorld, type TestHome } from './organization-world.ts'

let world: OrganizationWorld
let home: TestHome

beforeAll(async () => {
  world = await startOrganizationWorld()
})
beforeEach(async () => {
  home = await world.newOrganization()
})
afterAll(() => world.close())

describe('a new team', () => {
  it('[TEAM-03] [TEAM-02] has a name, a cost centre and a budget, to the last digit', async () => {
    const terms = { name: '  Platform ', costCenterCode: 'CC-7', monthlyBudget: 12.000000001 }
    const made = await home.admin.post(`${home.path}/teams`, terms)
    expect(made.status).toBe(201)
    expect(made.data).toEqual({
      id: expect.any(String),
      orgId: home.id,
      name: 'Platform',
      description: null,
      costCenterCode: 'CC-7',
      monthlyBudget: 12.000000001,
      spendThisMonth: 0,
      heldThisMonth: 0,
      breaker: { cbEnabled: null, cbMinuteUsd: null, cbHourlyUsd: null },
      keyCount: 0,
      permissionScope: null,
      defaultRole: null,
      defaultMonthlyBudget: null,
      memberKeysMax: null,
      memberCount: 0,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    })
    expect((await home.admin.get(`${home.path}/teams/${made.data['id']}`)).data).toEqual(made.data)
    expect(await world.auditOf(home.id)).toMatchObject([
      { action: 'team.create', actor_kind: 'key', target_id: made.data['id'], after: { name: 'Platform' } },
    ])
  })

  it('[TEAM-03] [BUDGET-03] needs no budget', async () => {
    const plain = await home.admin.post(`${home.path}/teams`, { name: 'plain' })
    const unlimited = await home.admin.post(`${home.path}/teams`, { name: 'unlimited', monthlyBudget: null })
    expect([plain, unlimited].map(({ status, data }) => [status, data['monthlyBudget']])).toEqual([
      [201, null],
      [201, null],
    ])
  })

  it.each([
    ['without a name', {}],
    ['with a name of spaces', { name: '  ' }],
    ['with a name that is no text', { name: 5 }],
    ['with a name of 101 characters', { name: 'x'.repeat(101) }],
    ['with a line end in its name', { name: 'a\r\nb' }],
    ['with half a character in its name', { name: 'a\ud800' }],
    ['with a negative budget', { name: 'a', monthlyBudget: -1 }],
    ['with a budget as text', { name: 'a', monthlyBudget: '5' }],
    ['with less than a nano-dollar', { name: 'a', monthlyBudget: 1e-10 }],
    ['with a budget that fits nowhere', { name: 'a', monthlyBudget: 1e30 }],
    ['with a cost centre that is no text', { name: 'a', costCenterCode: 7 }],
    ['with a cost centre of 101 characters', { name: 'a', costCenterCode: 'x'.repeat(101) }],
    ['with a NUL in its description', { name: 'a', description: 'a\0b' }],
    ['a name that can not be seen', { name: '\u200b\u2060' }],
    ['a name that turns the direction of writing', { name: '\u202egnp.exe' }],
  ])('[TEAM-04] %s is refused with 400, and nothing is made', async (_case, body) => {
    expect((await home.admin.post(`${home.path}/teams`, body)).status).toBe(400)
    expect((await home.admin.get(`${home.path}/teams`)).json['total_count']).toBe(0)
    expect(await world.auditOf(home.id)).toEqual([])
  })

  it('takes nothing that is not its own to say', async () => {
    const stranger = await world.newOrganization()
    const id = newUuid(Date.now())
    const forged = { name: 'forged', id, orgId: stranger.id, organization_id: stranger.id, spendThisMonth: -5 }
    const made = await home.admin.post(`${home.path}/teams`, forged)
    expect(made.data).toMatchObject({ orgId: home.id, spendThisMonth: 0 })
    expect(made.data['id']).not.toBe(id)
    expect((await stranger.admin.get(`${stranger.path}/teams`)).list).toEqual([])
  })
})

describe('the name of a team', () => {
  it('[TEAM-05] is taken only once in an organization, whatever its case, on POST and PATCH', async () => {
    const other = await world.newOrganization()
    const first = await home.admin.post(`${home.path}/teams`, { name: 'Research' })
    expect((await home.admin.post(`${home.path}/teams`, { name: ' reSEARCH' })).status).toBe(409)
    expect((await other.admin.post(`${other.path}/teams`, { name: 'Research' })).status).toBe(201)
    const second = await home.admin.post(`${home.path}/teams`, { name: 'Design' })
    const path = `${home.path}/teams/${second.data['id']}`
    expect((await home.admin.patch(path, { name: 'RESEARCH', description: 'no' })).status).toBe(409)
    expect((await home.admin.get(path)).data).toEqual(second.data)
    const renamed = await home.admin.patch(`${home.path}/teams/${first.data['id']}`, { name: 'research' })
    expect([renamed.status, renamed.data['name']]).toEqual([200, 'research'])
  })

  it('[TEAM-05] goes to one of many who ask for it at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => home.admin.post(`${home.path}/teams`, { name: 'Rush' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
  })
})

describe('the list of teams', () => {
  it('[TEAM-01] is in the order of names and counts members', async () => {
    const teams = new Map<string, string>()
    for (const name of ['beta', 'Alpha', 'gamma']) {
      teams.set(name, (await world.addTeam(home.id, { name })).teamId)
    }
    for (const name of ['gamma', 'gamma', 'Alpha']) {
      await world.addMember(home.id, { teamId: teams.get(name) ?? '' })
    }
    const { status, json, list } = await home.admin.get(`${home.path}/teams`)
    expect([status, json['total_count']]).toEqual([200, 3])
    expect(list.map(({ name, memberCount }) => [name, memberCount])).toEqual([
      ['Alpha', 1],
      ['beta', 0],
      ['gamma', 2],
    ])
  })
})

describe('changing a team', () => {
  it.each([
    { name: 'Renamed' },
    { description: 'what it is for,\nin two lines' },
    { permissionScope: 'read' },
    { costCenterCode: 'CC-8' },
    { monthlyBudget: 0 },
    { monthlyBudget: null },
    { description: null },
    { defaultRole: 'team_admin' },
    { defaultMonthlyBudget: 0 },
    { memberKeysMax: 3 },
    { memberKeysMax: 0 },
  ])('[TEAM-06] %j changes nothing else', async (change) => {
    const all = { name: 'All', description: 'd', permissionScope: 'p', costCenterCode: 'c', monthlyBudget: 5 }
    const { data: before } = await home.admin.post(`${home.path}/teams`, all)
    const { status, data: after } = await home.admin.patch(`${home.path}/teams/${before['id']}`, change)
    expect(status).toBe(200)
    expect(after).toEqual({ ...before, ...change, updatedAt: expect.any(String) })
    const [field] = Object.keys(change)
    expect((await world.auditOf(home.id)).at(-1)).toMatchObject({
      action: 'team.update',
      before: { [String(field)]: before[String(field)] },
      after: change,
    })
  })

  it('[TEAM-06] to what it is leaves no entry, and to nothing at all is refused', async () => {
    const { data } = await home.admin.post(`${home.path}/teams`, { name: 'Same' })
    const path = `${home.path}/teams/${data['id']}`
    expect((await home.admin.patch(path, { name: 'Same' })).status).toBe(200)
    expect(await world.auditOf(home.id)).toHaveLength(1)
    expect((await home.admin.patch(path, {})).status).toBe(400)
    expect((await home.admin.patch(path, { orgId: 'x' })).status).toBe(400)
    expect((await home.admin.patch(path, { name: null })).status).toBe(400)
  })
})

describe('deleting a team', () => {
  it('[TEAM-07] keeps its members, and ends its keys and powers', async () => {
    const { teamId } = await world.addTeam(home.id, { name: 'Gone' })
    const [lead, member] = [
      await world.addMember(home.id, { role: 'team_admin', teamId }),
      await world.addMember(home.id, { teamId }),
    ]
    const teamKey = await world.addOrganizationKey(home.id, { memberId: member.memberId, teamId })
    const serviceKey = await world.addOrganizationKey(home.id, { teamId })
    const ownKey = await world.addOrganizationKey(home.id, { memberId: member.memberId })
    const session = world.as(await world.signIn(lead.userId))
    const keys = [teamKey, serviceKey, ownKey]
    expect(await Promise.all(keys.map(({ key }) => world.canCall(key)))).toEqual([200, 200, 200])
    expect((await session.get(`${home.path}/members`)).status).toBe(200)

    expect((await home.admin.delete(`${home.path}/teams/${teamId}`)).status).toBe(204)

    expect((await home.admin.get(`${home.path}/teams/${teamId}`)).status).toBe(404)
    const { list } = await home.admin.get(`${home.path}/members`)
    expect(list.map(({ role, team }) => [role, team])).toEqual([
      ['org_admin', null],
      ['member', null],
      ['member', null],
    ])
    expect(await Promise.all(keys.map(({ key }) => world.canCall(key)))).toEqual([401, 401, 200])
    expect((await session.get(`${home.path}/members`)).status).toBe(403)
    const [deleted, demoted] = await world.auditOf(home.id)
    expect(deleted).toMatchObject({ action: 'team.delete', target_id: teamId, before: { name: 'Gone' } })
    const revoked = deleted?.details?.['revokedKeyIds']
    expect(Array.isArray(revoked) ? revoked.toSorted() : revoked).toEqual([teamKey.keyId, serviceKey.keyId].toSorted())
    expect(demoted).toMatchObject({
      action: 'org_member.update',
      target_id: lead.memberId,
      before: { role: 'team_admin', teamId },
      after: { role: 'member', teamId: null },
    })
  })

  it('[TEAM-08] or reading or changing one that is unknown or of others answers 404', async () => {
    const other = await world.newOrganization()
    const { teamId } = await world.addTeam(other.id)
    for (const id of [teamId, newUuid(Date.now()), 'nonsense', '%00']) {
      const path = `${home.path}/teams/${id}`
      const answers = [
        await home.admin.get(path),
        await home.admin.patch(path, { name: 'x' }),
        await home.admin.delete(path),
      ]
      expect(
        answers.map(({ status }) => status),
        id,
      ).toEqual([404, 404, 404])
    }
    expect((await other.admin.get(`${other.path}/teams`)).json['total_count']).toBe(1)
    expect(await world.auditOf(other.id)).toEqual([])
  })
})
