import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#domain/access/roles.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import type { Client } from '#test/setup/client.ts'
import { type OrganizationWorld, startOrganizationWorld, type TestHome } from './organization-world.ts'

type Route = readonly [method: string, path: string, body?: JsonObject]

let world: OrganizationWorld
beforeAll(async () => {
  world = await startOrganizationWorld()
})
afterAll(() => world.close())

/** An organization with two teams, a member in each, and its administrator. */
async function newPlace() {
  const home = await world.newOrganization()
  const [{ teamId }, { teamId: otherTeamId }] = [await world.addTeam(home.id), await world.addTeam(home.id)]
  const [member, otherMember] = [
    await world.addMember(home.id, { teamId }),
    await world.addMember(home.id, { teamId: otherTeamId }),
  ]
  const stranger = await world.addMember((await world.createOrganization()).id)
  const place = { home, teamId, otherTeamId, member, otherMember, newcomer: stranger.email }
  return { ...place, routes: routesOf(home, place) }
}

interface Ids {
  teamId: string
  member: { memberId: string }
  newcomer: string
}

/** Every route of an organization, in an order in which all succeed. */
function routesOf(home: TestHome, { teamId, member, newcomer }: Ids): Route[] {
  const { path } = home
  return [
    ['GET', path],
    ['PATCH', path, { name: 'Another name' }],
    ['GET', `${path}/teams`],
    ['POST', `${path}/teams`, { name: 'New' }],
    ['GET', `${path}/teams/${teamId}`],
    ['PATCH', `${path}/teams/${teamId}`, { monthlyBudget: 1 }],
    ['GET', `${path}/members`],
    ['POST', `${path}/members`, { email: newcomer }],
    ['GET', `${path}/invitations`],
    ['POST', `${path}/invitations`, { emails: ['invited@example.com'] }],
    ['POST', `${path}/members/import`, { rows: [] }],
    ['GET', `${path}/members/${member.memberId}`],
    ['PATCH', `${path}/members/${member.memberId}`, { monthlyBudget: 1 }],
    ['DELETE', `${path}/members/${member.memberId}`],
    ['DELETE', `${path}/teams/${teamId}`],
  ]
}

const reads = (routes: readonly Route[]): Route[] => routes.filter(([method]) => method === 'GET')

async function statuses(client: Client, routes: readonly Route[]): Promise<number[]> {
  const found: number[] = []
  for (const [method, path, body] of routes) found.push((await client.send(method, path, body)).status)
  return found
}

async function enter(organizationId: string, role: Role, teamId?: string) {
  const member = await world.addMember(organizationId, { role, ...(teamId === undefined ? {} : { teamId }) })
  const { key } = await world.addKey(member.userId, { type: 'management' })
  return { ...member, key: world.as(key), session: world.as(await world.signIn(member.userId)) }
}

const succeeded = [200, 200, 200, 201, 200, 200, 200, 201, 200, 201, 200, 200, 200, 204, 204]

describe('who may do something in an organization', () => {
  it('[ORG-05] an org_admin may do everything, with a management key and with a session', async () => {
    const one = await newPlace()
    const admin = await enter(one.home.id, 'org_admin')
    expect(await statuses(admin.key, one.routes)).toEqual(succeeded)
    const two = await newPlace()
    const other = await enter(two.home.id, 'org_admin')
    expect(await statuses(other.session, two.routes)).toEqual(succeeded)
    const three = await newPlace()
    const { memberId } = three.home.adminMember
    const bound = await world.addOrganizationKey(three.home.id, { memberId, terms: { type: 'management' } })
    expect(await statuses(world.as(bound.key), three.routes)).toEqual(succeeded)
  })

  it('[ORG-03] a standard key may nothing, also that of an org_admin', async () => {
    const { home, routes } = await newPlace()
    const { memberId, userId } = home.adminMember
    const [own, bound] = [await world.addKey(userId), await world.addOrganizationKey(home.id, { memberId })]
    const refused = routes.map(() => 403)
    expect(await statuses(world.as(own.key), routes)).toEqual(refused)
    expect(await statuses(world.as(bound.key), routes)).toEqual(refused)
  })

  it('[ORG-04] a plain member may nothing, with a management key or a session', async () => {
    const { home, routes } = await newPlace()
    const { key, session } = await enter(home.id, 'member')
    const refused = routes.map(() => 403)
    expect(await statuses(key, routes)).toEqual(refused)
    expect(await statuses(session, routes)).toEqual(refused)
  })

  it('[ORG-06] with a management key nobody but an org_admin may anything', async () => {
    const { home, routes, teamId } = await newPlace()
    const refused = routes.map(() => 403)
    expect(await statuses((await enter(home.id, 'billing_viewer')).key, routes)).toEqual(refused)
    expect(await statuses((await enter(home.id, 'team_admin', teamId)).key, routes)).toEqual(refused)
  })

  it('[ORG-06] [ORG-08] a billing_viewer reads the overview with a session, and changes nothing', async () => {
    const { home, routes } = await newPlace()
    const { session } = await enter(home.id, 'billing_viewer')
    expect((await session.get(home.path)).status).toBe(200)
    expect((await session.get(`${home.path}/keys`)).status).toBe(200)
    expect((await session.post(`${home.path}/keys`, { name: 'mine' })).status).toBe(403)
    const writes = routes.filter(([method]) => method !== 'GET')
    expect(await statuses(session, writes)).toEqual(writes.map(() => 403))
    expect((await session.get(`${home.path}/members`)).status).toBe(403)
  })

  it('[ORG-07] whoever does not belong to it can not tell it from one that never was', async () => {
    const { home, routes } = await newPlace()
    const stranger = await world.newOrganization()
    const elsewhere = await enter(stranger.id, 'org_admin')
    const missing = routes.map(() => 404)
    expect(await statuses(elsewhere.key, routes)).toEqual(missing)
    expect(await statuses(elsewhere.session, routes)).toEqual(missing)
    const answer = await elsewhere.key.get(home.path)
    for (const id of [newUuid(Date.now()), 'nonsense', home.id.toUpperCase()]) {
      expect(await elsewhere.key.get(`/v1/orgs/${id}`), id).toEqual(answer)
    }
  })

  it('[ORG-07] a key of one organization opens no other of its owner', async () => {
    const { home, routes } = await newPlace()
    const second = await world.createOrganization()
    const { memberId } = await world.addMember(second.id, { role: 'org_admin', userId: home.adminMember.userId })
    const { key } = await world.addOrganizationKey(second.id, { memberId, terms: { type: 'management' } })
    expect(await statuses(world.as(key), reads(routes))).toEqual(reads(routes).map(() => 404))
    expect((await world.as(key).get('/v1/orgs')).list).toMatchObject([{ id: second.id }])
    expect((await world.as(key).get(`/v1/orgs/${second.id}`)).status).toBe(200)
  })
})

describe('a team_admin with a session', () => {
  it('[ORG-09] sees the own team and its members, nothing of others', async () => {
    const { home, teamId, otherTeamId, member, otherMember } = await newPlace()
    const { session, memberId } = await enter(home.id, 'team_admin', teamId)
    const teams = await session.get(`${home.path}/teams`)
    expect([teams.json['total_count'], teams.list.map(({ id }) => id)]).toEqual([1, [teamId]])
    const members = await session.get(`${home.path}/members`)
    expect(members.list.map(({ id }) => id)).toEqual([member.memberId, memberId])
    expect(members.json['total_count']).toBe(2)
    const foreign: Route[] = [
      ['GET', home.path],
      ['PATCH', home.path, { name: 'Mine' }],
      ['POST', `${home.path}/teams`, { name: 'Mine' }],
      ['DELETE', `${home.path}/teams/${teamId}`],
      ['GET', `${home.path}/teams/${otherTeamId}`],
      ['PATCH', `${home.path}/teams/${otherTeamId}`, { monthlyBudget: 0 }],
      ['GET', `${home.path}/members/${otherMember.memberId}`],
      ['PATCH', `${home.path}/members/${otherMember.memberId}`, { monthlyBudget: 0 }],
      ['DELETE', `${home.path}/members/${otherMember.memberId}`],
      ['PATCH', `${home.path}/members/${home.adminMember.memberId}`, { role: 'member' }],
      ['DELETE', `${home.path}/members/${home.adminMember.memberId}`],
    ]
    expect(await statuses(session, foreign)).toEqual(foreign.map(() => 403))
  })

  it('[ORG-09] manages the members and the budget of the own team', async () => {
    const { home, teamId, member, newcomer } = await newPlace()
    const { session } = await enter(home.id, 'team_admin', teamId)
    const added = await session.post(`${home.path}/members`, { email: newcomer })
    expect(added.status).toBe(201)
    expect(added.data).toMatchObject({ role: 'member', team: { id: teamId } })
    const path = `${home.path}/members/${member.memberId}`
    const promoted = await session.patch(path, { monthlyBudget: 3, role: 'team_admin', teamId })
    expect(promoted.data).toMatchObject({ monthlyBudget: 3, role: 'team_admin', team: { id: teamId } })
    expect((await session.delete(path)).status).toBe(204)
    const team = await session.patch(`${home.path}/teams/${teamId}`, { monthlyBudget: 9, description: 'ours' })
    expect(team.data).toMatchObject({ monthlyBudget: 9, description: 'ours' })
    const [, entry] = await world.auditOf(home.id)
    expect(entry).toMatchObject({ action: 'org_member.update', actor_kind: 'user' })
  })

  it('[ORG-09] makes and ends keys for the own team, not for others', async () => {
    const { home, teamId, otherTeamId, otherMember } = await newPlace()
    const { session } = await enter(home.id, 'team_admin', teamId)
    const made = await session.post(`${home.path}/keys`, { name: 'ours', teamId })
    expect(made.status).toBe(201)
    expect(await world.canCall(String(made.json['key']))).toBe(200)
    for (const wish of [{ teamId: otherTeamId }, { memberId: otherMember.memberId }, {}]) {
      expect((await session.post(`${home.path}/keys`, { name: 'theirs', ...wish })).status).toBe(403)
    }
    const foreign = await world.addOrganizationKey(home.id, { teamId: otherTeamId })
    expect((await session.delete(`${home.path}/keys/${foreign.keyId}`)).status).toBe(403)
    expect((await session.delete(`${home.path}/keys/${made.json['id']}`)).status).toBe(204)
    expect(await world.canCall(String(made.json['key']))).toBe(401)
  })

  it('[ORG-09] can not grant what is not theirs, nor take it', async () => {
    const { home, teamId, otherTeamId, member, newcomer } = await newPlace()
    const lead = await enter(home.id, 'team_admin', teamId)
    const admin = await world.addMember(home.id, { role: 'org_admin', teamId })
    const viewer = await world.addMember(home.id, { role: 'billing_viewer', teamId })
    const adminKey = await world.addOrganizationKey(home.id, { memberId: admin.memberId })
    const { session } = lead
    const before = await home.admin.get(`${home.path}/members`)
    const path = (memberId: string): string => `${home.path}/members/${memberId}`
    const forbidden: Route[] = [
      ['POST', `${home.path}/members`, { email: newcomer, role: 'org_admin' }],
      ['POST', `${home.path}/members`, { email: newcomer, role: 'billing_viewer', teamId }],
      ['POST', `${home.path}/members`, { email: newcomer, teamId: otherTeamId }],
      ['POST', `${home.path}/members`, { email: newcomer, teamId: null }],
      ['POST', `${home.path}/members`, { email: newcomer, role: 'team_admin', teamId: otherTeamId }],
      ['PATCH', path(lead.memberId), { role: 'org_admin' }],
      ['PATCH', path(lead.memberId), { teamId: otherTeamId }],
      ['PATCH', path(lead.memberId), { role: 'billing_viewer' }],
      ['PATCH', path(member.memberId), { role: 'org_admin' }],
      ['PATCH', path(member.memberId), { role: 'billing_viewer' }],
      ['PATCH', path(member.memberId), { teamId: otherTeamId }],
      ['PATCH', path(member.memberId), { teamId: null }],
      ['PATCH', path(member.memberId), { teamId: newUuid(0) }],
      ['PATCH', path(admin.memberId), { monthlyBudget: 0 }],
      ['PATCH', path(admin.memberId), { role: 'member' }],
      ['DELETE', path(admin.memberId)],
      ['PATCH', path(viewer.memberId), { role: 'member' }],
      ['DELETE', path(viewer.memberId)],
      [
        'PATCH',
        `/api/orgs/${home.id}/members/${admin.memberId}/circuit-breaker`,
        { cbEnabled: true, cbMinuteUsd: 0.01 },
      ],
      ['PATCH', `/api/orgs/${home.id}/members/${viewer.memberId}/circuit-breaker`, { cbEnabled: false }],
      ['POST', `${home.path}/keys`, { name: 'in their name', memberId: admin.memberId }],
      ['POST', `${home.path}/keys`, { name: 'in their name', memberId: admin.memberId, teamId }],
      ['PATCH', `${home.path}/keys/${adminKey.keyId}`, { enabled: false }],
      ['DELETE', `${home.path}/keys/${adminKey.keyId}`],
      ['PATCH', `${home.path}/teams/${teamId}`, { permissionScope: 'everything' }],
      ['PATCH', `${home.path}/teams/${teamId}`, { name: 'Mine' }],
      ['PATCH', `${home.path}/teams/${teamId}`, { costCenterCode: null, monthlyBudget: 1 }],
    ]
    expect(await statuses(session, forbidden)).toEqual(forbidden.map(() => 403))
    const unheard: Route[] = [
      ['PATCH', path(lead.memberId), { orgRole: 'org_admin', permissions: ['*'] }],
      ['POST', `${home.path}/members`, { email: newcomer, role: 'owner' }],
      ['POST', `${home.path}/members`, { email: newcomer, role: 'team_admin' }],
    ]
    expect(await statuses(session, unheard)).toEqual(unheard.map(() => 400))
    expect(await home.admin.get(`${home.path}/members`)).toEqual(before)
    expect(await world.auditOf(home.id)).toEqual([])
  })
})
