import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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

async function newAddress(): Promise<string> {
  const { userId } = await world.createClient({ usd: '0' })
  const { rows } = await world.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId])
  return rows[0]?.email ?? ''
}

const add = async (terms: Record<string, unknown>) =>
  (await home.admin.post(`${home.path}/members`, { email: await newAddress(), ...terms })).data

describe('defaults of new members', () => {
  it('come from the team, else from the organization, and never replace what is given', async () => {
    const defaults = { defaultRole: 'billing_viewer', defaultMonthlyBudget: 12.5 }
    expect((await home.admin.patch(home.path, defaults)).data).toMatchObject(defaults)
    expect((await home.admin.get(home.path)).data).toMatchObject(defaults)
    const { teamId } = await world.addTeam(home.id)
    expect(await add({})).toMatchObject({ role: 'billing_viewer', monthlyBudget: 12.5, team: null })
    expect(await add({ teamId })).toMatchObject({ role: 'billing_viewer', monthlyBudget: 12.5, team: { id: teamId } })
    const ofTeam = { defaultRole: 'member', defaultMonthlyBudget: 3 }
    expect((await home.admin.patch(`${home.path}/teams/${teamId}`, ofTeam)).data).toMatchObject(ofTeam)
    expect(await add({ teamId })).toMatchObject({ role: 'member', monthlyBudget: 3 })
    expect(await add({ teamId, role: 'team_admin', monthlyBudget: null })).toMatchObject({
      role: 'team_admin',
      monthlyBudget: null,
    })
    expect(await add({ role: 'org_admin', monthlyBudget: 0 })).toMatchObject({ role: 'org_admin', monthlyBudget: 0 })
  })

  it('are entries of the audit log, for the organization and for a team', async () => {
    const { teamId } = await world.addTeam(home.id)
    await home.admin.patch(home.path, { defaultRole: 'billing_viewer', defaultMonthlyBudget: 1 })
    await home.admin.patch(`${home.path}/teams/${teamId}`, { defaultRole: 'team_admin', memberKeysMax: 2 })
    expect(await world.auditOf(home.id)).toMatchObject([
      { action: 'org.update', after: { defaultRole: 'billing_viewer', defaultMonthlyBudget: 1 } },
      {
        action: 'team.update',
        before: { memberKeysMax: null },
        after: { defaultRole: 'team_admin', memberKeysMax: 2 },
      },
    ])
  })

  it.each([
    ['org_admin', 400, 400],
    ['team_admin', 400, 200],
    ['billing_viewer', 200, 400],
    ['member', 200, 200],
    [null, 400, 200],
    ['owner', 400, 400],
  ])('the role %s answers %i for an organization and %i for a team', async (defaultRole, ofOrganization, ofTeam) => {
    const { teamId } = await world.addTeam(home.id)
    expect((await home.admin.patch(home.path, { defaultRole })).status).toBe(ofOrganization)
    expect((await home.admin.patch(`${home.path}/teams/${teamId}`, { defaultRole })).status).toBe(ofTeam)
  })

  it('refuse amounts and numbers of keys that make no sense', async () => {
    const { teamId } = await world.addTeam(home.id)
    for (const defaultMonthlyBudget of [-1, '5', 0.0000000001]) {
      expect((await home.admin.patch(home.path, { defaultMonthlyBudget })).status).toBe(400)
    }
    for (const memberKeysMax of [-1, 101, 1.5, '5']) {
      expect((await home.admin.patch(`${home.path}/teams/${teamId}`, { memberKeysMax })).status).toBe(400)
    }
  })
})

describe("a team's defaults", () => {
  it.each([
    ['defaultRole', 'team_admin', 200],
    ['defaultMonthlyBudget', 7, 200],
    ['memberKeysMax', 5, 403],
  ])('its administrator changes %s to %s: %i', async (field, value, status) => {
    const { teamId } = await world.addTeam(home.id)
    const { userId } = await world.addMember(home.id, { role: 'team_admin', teamId })
    const lead = world.as(await world.signIn(userId))
    expect((await lead.patch(`${home.path}/teams/${teamId}`, { [field]: value })).status).toBe(status)
  })

  it('an administrator of a team cannot use a default that exceeds their own rights', async () => {
    await home.admin.patch(home.path, { defaultRole: 'billing_viewer' })
    const { teamId } = await world.addTeam(home.id)
    const { userId } = await world.addMember(home.id, { role: 'team_admin', teamId })
    const lead = world.as(await world.signIn(userId))
    const members = `${home.path}/members`
    expect((await lead.post(members, { email: await newAddress() })).status).toBe(403)
    expect((await lead.post(members, { email: await newAddress(), role: 'member' })).status).toBe(201)
  })
})

describe('the number of own keys', () => {
  it.each([
    [0, null, 0],
    [2, null, 2],
    [2, 0, 0],
    [0, 1, 1],
    [2, 5, 5],
  ])('is of the team, else of the organization: %s and %s are %s', async (ofOrganization, ofTeam, most) => {
    const { teamId } = await world.addTeam(home.id)
    await home.admin.patch(home.path, { memberKeysMax: ofOrganization })
    await home.admin.patch(`${home.path}/teams/${teamId}`, { memberKeysMax: ofTeam })
    const { userId } = await world.addMember(home.id, { teamId })
    const person = world.as(await world.signIn(userId))
    expect((await person.get('/v1/orgs')).list).toMatchObject([{ memberKeysMax: ofOrganization, ownKeysMax: most }])
    const path = `/v1/keys?organization=${home.id}`
    const statuses: number[] = []
    for (const name of ['a', 'b', 'c']) statuses.push((await person.post(path, { name })).status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(Math.min(most, 3))
  })
})
