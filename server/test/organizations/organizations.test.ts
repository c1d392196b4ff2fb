import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import { type OrganizationWorld, startOrganizationWorld } from './organization-world.ts'

let world: OrganizationWorld

beforeAll(async () => {
  world = await startOrganizationWorld()
})
afterAll(() => world.close())

describe('the list of organizations', () => {
  it('[ORG-01] answers standard and management keys and sessions alike, by name', async () => {
    const { userId, key } = await world.createClient()
    const zulu = await world.createOrganization({ name: 'zulu', usd: '3' })
    const alpha = await world.createOrganization({ name: 'Alpha', usd: '0' })
    await world.createOrganization({ name: 'not theirs' })
    await world.addMember(zulu.id, { userId, role: 'org_admin' })
    await world.addMember(alpha.id, { userId })
    const management = await world.addKey(userId, { type: 'management' })
    for (const credential of [key, management.key, await world.signIn(userId)]) {
      const { status, json } = await world.as(credential).get('/v1/orgs')
      expect(status).toBe(200)
      expect(json).toEqual({
        data: [
          {
            id: alpha.id,
            name: 'Alpha',
            slug: expect.any(String),
            role: 'member',
            joinedAt: expect.stringMatching(/^\d{4}-.*Z$/),
            creditBalance: 0,
            memberKeysMax: 0,
            ownKeysMax: 0,
          },
          {
            id: zulu.id,
            name: 'zulu',
            slug: expect.any(String),
            role: 'org_admin',
            joinedAt: expect.stringMatching(/^\d{4}-.*Z$/),
            creditBalance: 3,
            memberKeysMax: 0,
            ownKeysMax: 0,
          },
        ],
        total_count: 2,
      })
    }
    expect((await world.as(key).get('/api/v1/orgs')).json['total_count']).toBe(2)
  })

  it('[ORG-01] is empty for whoever is in none, and refused without a credential', async () => {
    const { key } = await world.createClient()
    expect((await world.as(key).get('/v1/orgs')).json).toEqual({ data: [], total_count: 0 })
    expect((await world.as('sk-weir-nobody').get('/v1/orgs')).status).toBe(401)
  })

  it("[ORG-01] has one entry for an organization's own key, also for one that nobody in particular uses", async () => {
    const home = await world.newOrganization()
    await world.addMember((await world.createOrganization()).id, { userId: home.adminMember.userId })
    const bound = await world.addOrganizationKey(home.id, { memberId: home.adminMember.memberId })
    const service = await world.addOrganizationKey(home.id)
    const roleOf = async (key: string) => (await world.as(key).get('/v1/orgs')).list.map(({ id, role }) => [id, role])
    expect(await roleOf(bound.key)).toEqual([[home.id, 'org_admin']])
    expect(await roleOf(service.key)).toEqual([[home.id, 'member']])
  })
})

describe('an organization', () => {
  it('[ORG-02] tells its administrator of plan, seats, credit, settings and who is there', async () => {
    const home = await world.newOrganization({ name: 'Acme', usd: '12.5' })
    await world.addTeam(home.id)
    await world.addTeam(home.id)
    await world.addMember(home.id)
    const { status, json } = await home.admin.get(home.path)
    expect(status).toBe(200)
    expect(json).toEqual({
      data: {
        id: home.id,
        name: 'Acme',
        slug: expect.any(String),
        role: 'org_admin',
        joinedAt: expect.any(String),
        creditBalance: 12.5,
        memberKeysMax: 0,
        ownKeysMax: 0,
        plan: 'standard',
        billingMode: 'prepaid',
        creditLine: 0,
        seats: { total: null, used: 2 },
        settings: {},
        cacheTtlSeconds: null,
        defaultRole: 'member',
        defaultMonthlyBudget: null,
        weeklyBudget: null,
        monthlyBudget: null,
        spendThisWeek: 0,
        heldThisWeek: 0,
        spendThisMonth: 0,
        heldThisMonth: 0,
        teamCount: 2,
        memberCount: 2,
        createdAt: expect.any(String),
      },
    })
  })

  it('[AUDIT-05] tells in its log who changed its settings, from what to what', async () => {
    const home = await world.newOrganization({ name: 'Before' })
    const settings = { theme: 'dark', limits: { daily: 1.5 }, tags: ['a', null] }
    const changed = await home.admin.patch(home.path, { settings, monthlyBudget: 100.000000001 })
    expect(changed.status).toBe(200)
    expect(changed.data).toMatchObject({ name: 'Before', settings, monthlyBudget: 100.000000001, weeklyBudget: null })
    const person = await world.addMember(home.id, { role: 'org_admin' })
    const session = world.as(await world.signIn(person.userId))
    expect((await session.patch(home.path, { name: ' After ', settings: {} })).data).toMatchObject({ name: 'After' })
    const [byKey, bySession] = await world.auditOf(home.id)
    expect(byKey).toMatchObject({
      action: 'org.update',
      actor_kind: 'key',
      actor_id: expect.any(String),
      target_id: home.id,
      before: { settings: {}, monthlyBudget: null },
      after: { settings, monthlyBudget: 100.000000001 },
    })
    expect(byKey?.after).not.toHaveProperty('name')
    expect(bySession).toMatchObject({
      action: 'org.update',
      actor_kind: 'user',
      actor_id: person.userId,
      before: { name: 'Before', settings },
      after: { name: 'After', settings: {} },
    })
  })

  it('[NEXT-88] keeps how long answers are kept, and tells its log of it', async () => {
    const home = await world.newOrganization()
    for (const cacheTtlSeconds of [600, null]) {
      expect((await home.admin.patch(home.path, { cacheTtlSeconds })).data).toMatchObject({ cacheTtlSeconds })
      expect((await home.admin.get(home.path)).data).toMatchObject({ cacheTtlSeconds })
    }
    for (const bad of [0, -1, 1.5, '60']) {
      expect((await home.admin.patch(home.path, { cacheTtlSeconds: bad })).status).toBe(400)
    }
    const after = (await world.auditOf(home.id)).map((entry) => entry.after)
    expect(after).toEqual([{ cacheTtlSeconds: 600 }, { cacheTtlSeconds: null }])
  })

  it('does not let its administrator change what the operator decides, nor what makes no sense', async () => {
    const home = await world.newOrganization()
    const { data: before } = await home.admin.get(home.path)
    for (const body of [
      {},
      { plan: 'enterprise' },
      { seats: 1000 },
      { billingMode: 'monthly', creditLine: 1000 },
      { slug: 'mine', id: newUuid(0), creditBalance: 1000 },
      { name: '' },
      { name: null },
      { name: 'x'.repeat(101) },
      { settings: null },
      { settings: [] },
      { settings: 'text' },
      { settings: { large: 'x'.repeat(8_192) } },
      { settings: { 'a\0': 1 } },
      { settings: { deep: [{ text: 'a\0' }] } },
      { settings: { text: '\ud800' } },
      { weeklyBudget: -1 },
      { monthlyBudget: '5' },
    ]) {
      expect((await home.admin.patch(home.path, body)).status, JSON.stringify(body)).toBe(400)
    }
    const forged = { name: 'New', plan: 'enterprise', seats: 1000, billingMode: 'monthly', suspended: true }
    const refused = await home.admin.patch(home.path, forged)
    expect([refused.status, refused.error['code']]).toEqual([400, 'unsupported_param'])
    expect((await home.admin.get(home.path)).data).toEqual(before)
    expect((await home.admin.patch(home.path, { name: 'New' })).data).toEqual({ ...before, name: 'New' })
    expect(await world.auditOf(home.id)).toHaveLength(1)
  })

  it('keeps changes that come at the same moment, all of them', async () => {
    const home = await world.newOrganization()
    const changes = [{ name: 'Both' }, { weeklyBudget: 5 }, { monthlyBudget: 6 }, { settings: { a: 1 } }]
    const answers = await Promise.all(changes.map((change) => home.admin.patch(home.path, change)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await home.admin.get(home.path)).data).toMatchObject(Object.assign({}, ...changes))
    expect(await world.auditOf(home.id)).toHaveLength(4)
  })
})
