import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#domain/access/roles.ts'
import type { JsonObject } from '#lib/json.ts'
import { startUsageGateway, type UsageGateway } from './usage-gateway.ts'

let gateway: UsageGateway

beforeAll(async () => {
  gateway = await startUsageGateway()
})
afterAll(() => gateway.close())

/** An organization where ada of a team has spent $1, ben without a team $2, and a shared key $4. */
async function spentOrganization() {
  const { id, walletId } = await gateway.createOrganization({ usd: '30' })
  const { teamId } = await gateway.addTeam(id, { name: 'Research' })
  const [ada, ben] = [await gateway.addMember(id, { teamId }), await gateway.addMember(id)]
  const adaKey = await gateway.addOrganizationKey(id, { memberId: ada.memberId })
  const benKey = await gateway.addOrganizationKey(id, { memberId: ben.memberId })
  const shared = await gateway.addOrganizationKey(id)
  const payer = { walletId, organizationId: id }
  await gateway.spend({ ...payer, ...adaKey, memberId: ada.memberId, userId: ada.userId, teamId }, [{ usd: '1' }])
  await gateway.spend({ ...payer, ...benKey, memberId: ben.memberId, userId: ben.userId }, [{ usd: '2' }])
  await gateway.spend({ ...payer, ...shared }, [{ usd: '4' }])
  return { id, walletId, teamId, ada, ben, adaKey, shared }
}

async function sessionOf(organizationId: string, role: Role) {
  const { teamId } = await gateway.addTeam(organizationId)
  const { userId } = await gateway.addMember(organizationId, { role, teamId })
  return { cookie: await gateway.signIn(userId) }
}

async function list(organizationId: string, session: { cookie: string }, query = ''): Promise<JsonObject[]> {
  const { status, body } = await gateway.read(`/v1/generations?organization=${organizationId}${query}`, session)
  expect(status).toBe(200)
  return body['data'] as JsonObject[]
}

describe('the list of requests', () => {
  it('names key, person and team of each request, and so does the receipt', async () => {
    const { id, teamId, ada, adaKey, shared } = await spentOrganization()
    const admin = await sessionOf(id, 'org_admin')
    const found = await list(id, admin)
    const ofAda = found.find((entry) => entry['api_key_id'] === adaKey.keyId)
    const owner = {
      api_key_name: expect.any(String),
      member: { id: ada.memberId, name: expect.any(String), email: ada.email },
      team: { id: teamId, name: 'Research' },
    }
    expect(ofAda).toMatchObject(owner)
    const receipt = await gateway.read(`/v1/generation?id=${String(ofAda?.['id'])}&organization=${id}`, admin)
    expect(receipt.body['data']).toMatchObject({ ...owner, api_key_id: adaKey.keyId })
    const ofShared = found.find((entry) => entry['api_key_id'] === shared.keyId)
    expect(ofShared).toMatchObject({ member: null, team: null })
  })

  it('is narrowed to a member or a team', async () => {
    const { id, teamId, ada, ben } = await spentOrganization()
    const admin = await sessionOf(id, 'org_admin')
    const costs = async (query: string) => (await list(id, admin, query)).map((entry) => entry['total_cost'])
    expect(await costs(`&member_id=${ada.memberId}`)).toEqual([1])
    expect(await costs(`&member_id=${ben.memberId}`)).toEqual([2])
    expect(await costs(`&team_id=${teamId}`)).toEqual([1])
    expect(await costs(`&member_id=${ben.memberId}&team_id=${teamId}`)).toEqual([])
  })

  it('shows nothing of a member or team of another organization, as of one that never was', async () => {
    const [own, other] = [await spentOrganization(), await spentOrganization()]
    const admin = await sessionOf(own.id, 'org_admin')
    for (const id of [other.ada.memberId, '00000000-0000-4000-8000-000000000000']) {
      expect(await list(own.id, admin, `&member_id=${id}`)).toEqual([])
    }
    expect(await list(own.id, admin, `&team_id=${other.teamId}`)).toEqual([])
    const malformed = await gateway.read(`/v1/generations?organization=${own.id}&member_id=ada`, admin)
    expect(malformed.status).toBe(400)
  })

  it('keeps a name after the person left and the team was deleted', async () => {
    const { id, teamId, ada, adaKey } = await spentOrganization()
    const admin = await sessionOf(id, 'org_admin')
    const as = gateway.as(admin)
    expect((await as.delete(`/v1/orgs/${id}/members/${ada.memberId}`)).status).toBe(204)
    expect((await as.delete(`/v1/orgs/${id}/teams/${teamId}`)).status).toBe(204)
    const found = (await list(id, admin)).find((entry) => entry['api_key_id'] === adaKey.keyId)
    expect(found).toMatchObject({ member: { id: ada.memberId, email: ada.email }, team: { id: teamId, name: null } })
    expect(await list(id, admin, `&member_id=${ada.memberId}`)).toHaveLength(1)
  })

  it("gives a member no more than the member's own requests, whoever is named", async () => {
    const { id, ada, ben } = await spentOrganization()
    const session = { cookie: await gateway.signIn(ada.userId) }
    expect(await list(id, session, `&member_id=${ada.memberId}`)).toHaveLength(1)
    expect(await list(id, session, `&member_id=${ben.memberId}`)).toEqual([])
  })
})

/** Each role's view: who is told apart, and the status of a filter by another member and by a team. */
const views: Record<Role, { members: boolean; teams: boolean; memberFilter: number; teamFilter: number }> = {
  org_admin: { members: true, teams: true, memberFilter: 200, teamFilter: 200 },
  billing_viewer: { members: false, teams: true, memberFilter: 403, teamFilter: 200 },
  team_admin: { members: false, teams: false, memberFilter: 403, teamFilter: 403 },
  member: { members: false, teams: false, memberFilter: 403, teamFilter: 403 },
}

describe('usage', () => {
  it('is summed by member and team, to the same total', async () => {
    const { id, teamId, ada, ben } = await spentOrganization()
    const admin = await sessionOf(id, 'org_admin')
    const { body } = await gateway.read(`/v1/usage?organization=${id}`, admin)
    expect(body['byMember']).toEqual([
      expect.objectContaining({ memberId: null, name: null, email: null, spend: 4, requests: 1 }),
      expect.objectContaining({ memberId: ben.memberId, email: ben.email, spend: 2 }),
      expect.objectContaining({ memberId: ada.memberId, email: ada.email, spend: 1 }),
    ])
    expect(body['byTeam']).toEqual([
      expect.objectContaining({ teamId: null, teamName: null, spend: 6 }),
      expect.objectContaining({ teamId, teamName: 'Research', spend: 1 }),
    ])
    expect(body['totals']).toMatchObject({ spend: 7 })
  })

  it.each(Object.entries(views))('tells a %s apart who may be told apart', async (role, view) => {
    const { id, teamId, ada } = await spentOrganization()
    const session = await sessionOf(id, role as Role)
    const { body } = await gateway.read(`/v1/usage?organization=${id}`, session)
    expect({ members: 'byMember' in body, teams: 'byTeam' in body }).toEqual({
      members: view.members,
      teams: view.teams,
    })
    for (const path of ['/v1/usage', '/v1/insights']) {
      for (const memberId of [ada.memberId, '00000000-0000-4000-8000-000000000000']) {
        const { status } = await gateway.read(`${path}?organization=${id}&member_id=${memberId}`, session)
        expect(status, `${path} by member`).toBe(view.memberFilter)
      }
      const byTeam = await gateway.read(`${path}?organization=${id}&team_id=${teamId}`, session)
      expect(byTeam.status, `${path} by team`).toBe(view.teamFilter)
    }
  })

  it('counts only what the filters name', async () => {
    const { id, teamId, ada, adaKey } = await spentOrganization()
    const admin = await sessionOf(id, 'org_admin')
    const spend = async (query: string) => {
      const bodies = ['/v1/usage', '/v1/insights'].map(async (path) => {
        const { body } = await gateway.read(`${path}?organization=${id}&${query}`, admin)
        return (body['totals'] as JsonObject)['spend']
      })
      return Promise.all(bodies)
    }
    expect(await spend(`member_id=${ada.memberId}`)).toEqual([1, 1])
    expect(await spend(`team_id=${teamId}`)).toEqual([1, 1])
    expect(await spend(`api_key_id=${adaKey.keyId}`)).toEqual([1, 1])
    expect(await spend(`api_key_id=${adaKey.keyId}&member_id=00000000-0000-4000-8000-000000000000`)).toEqual([0, 0])
    expect(await spend('team_id=research')).toEqual([0, 0])
  })

  it('of a person names neither members nor teams', async () => {
    const caller = await gateway.createClient()
    await gateway.spend(caller, [{ usd: '0.5' }])
    const { body } = await gateway.read('/v1/usage', caller.key)
    expect(body).not.toHaveProperty('byMember')
    expect(body).not.toHaveProperty('byTeam')
    const { body: requests } = await gateway.read('/v1/generations', caller.key)
    expect(requests['data']).toEqual([expect.objectContaining({ member: null, team: null })])
  })
})
