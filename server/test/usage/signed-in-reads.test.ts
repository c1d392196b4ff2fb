import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { startUsageGateway, type UsageGateway } from './usage-gateway.ts'

let gateway: UsageGateway

beforeAll(async () => {
  gateway = await startUsageGateway()
})
afterAll(() => gateway.close())

const roles = ['org_admin', 'billing_viewer', 'team_admin', 'member'] as const
type Role = (typeof roles)[number]

/** The view of one role on an organization where it has spent $1 and all members together $7. */
const seen: Record<Role, { usage: number; requests: number; credits: number }> = {
  org_admin: { usage: 7, requests: 4, credits: 200 },
  billing_viewer: { usage: 7, requests: 1, credits: 200 },
  team_admin: { usage: 1, requests: 1, credits: 403 },
  member: { usage: 1, requests: 1, credits: 403 },
}

describe('[G1] a signed-in person reads', () => {
  it('the credit, requests, receipts and usage of the own wallet, as a key of it does', async () => {
    const caller = await gateway.createClient()
    await gateway.spend(caller, [{ usd: '0.5', prompt: 3 }])
    const cookie = await gateway.signIn(caller.userId)
    for (const path of ['/v1/credits', '/v1/generations', '/v1/usage', '/v1/insights']) {
      const byKey = await gateway.read(path, caller.key)
      expect(byKey.status, path).toBe(200)
      expect(await gateway.read(path, { cookie }), path).toEqual(byKey)
    }
    const receipt = `/v1/generation?id=${await onlyRequest(cookie, '')}`
    expect(await gateway.read(receipt, { cookie })).toEqual(await gateway.read(receipt, caller.key))
    expect((await gateway.read('/v1/credits', { cookie })).body).toMatchObject({ data: { total_usage: 0.5 } })
  })

  it('nothing of another person', async () => {
    const [one, other] = [await gateway.createClient(), await gateway.createClient()]
    await gateway.spend(other, [{ usd: '0.5' }])
    const cookie = await gateway.signIn(other.userId)
    const receipt = `/v1/generation?id=${await onlyRequest(cookie, '')}`
    const stranger = { cookie: await gateway.signIn(one.userId) }
    expect((await gateway.read(receipt, stranger)).status).toBe(404)
    expect((await gateway.read('/v1/generations', stranger)).body).toMatchObject({ data: [] })
    expect((await gateway.read('/v1/usage', stranger)).body).toMatchObject({ totals: { spend: 0 } })
  })

  it.each(roles)('of an organization what a %s may see', async (role) => {
    const { id, walletId } = await gateway.createOrganization({ usd: '30' })
    const { teamId } = await gateway.addTeam(id)
    const watcher = await gateway.addMember(id, { role, teamId })
    for (const [usd, { memberId, userId }] of [
      ['1', watcher],
      ['2', await gateway.addMember(id, { teamId })],
      ['3', await gateway.addMember(id)],
    ] as const) {
      const key = await gateway.addOrganizationKey(id, { memberId })
      await gateway.spend({ ...key, walletId, organizationId: id, memberId, userId }, [{ usd }])
    }
    await gateway.spend({ ...(await gateway.addOrganizationKey(id)), walletId, organizationId: id }, [{ usd: '1' }])
    const session = { cookie: await gateway.signIn(watcher.userId) }
    const read = (path: string) => gateway.read(`${path}?organization=${id}`, session)
    const { usage, requests, credits } = seen[role]
    expect((await read('/v1/usage')).body).toMatchObject({ totals: { spend: usage } })
    expect((await read('/v1/insights')).body).toMatchObject({ totals: { spend: usage } })
    expect(requestsIn((await read('/v1/generations')).body)).toHaveLength(requests)
    const totals = await read('/v1/credits')
    expect(totals.status).toBe(credits)
    if (credits === 200) expect(totals.body).toMatchObject({ data: { total_credits: 30, total_usage: 7 } })
  })

  it("a receipt of an organization's request that it may list, and no other", async () => {
    const { id, walletId } = await gateway.createOrganization()
    const [one, other] = [await gateway.addMember(id), await gateway.addMember(id)]
    const key = await gateway.addOrganizationKey(id, { memberId: one.memberId })
    const { memberId, userId } = one
    await gateway.spend({ ...key, walletId, organizationId: id, memberId, userId }, [{ usd: '1' }])
    const cookies = await Promise.all([one, other].map(({ userId }) => gateway.signIn(userId)))
    const generation = await onlyRequest(cookies[0] ?? '', `?organization=${id}`)
    const statuses = cookies.map(async (cookie) => {
      const { status } = await gateway.read(`/v1/generation?id=${generation}&organization=${id}`, { cookie })
      return status
    })
    expect(await Promise.all(statuses)).toEqual([200, 404])
    expect((await gateway.read(`/v1/generation?id=${generation}`, { cookie: cookies[0] ?? '' })).status).toBe(404)
  })

  it.each(['/v1/credits', '/v1/generations', '/v1/usage', '/v1/insights', '/v1/generation?id=x'])(
    'no %s of an organization that is not theirs, or that never was',
    async (path) => {
      const { id } = await gateway.createOrganization()
      const stranger = await gateway.createClient()
      const session = { cookie: await gateway.signIn(stranger.userId) }
      const at = (organization: string) => `${path}${path.includes('?') ? '&' : '?'}organization=${organization}`
      for (const organization of [id, '00000000-0000-4000-8000-000000000000', 'nonsense']) {
        const { status, body } = await gateway.read(at(organization), session)
        expect({ status, body }).toMatchObject({
          status: 404,
          body: { error: { message: 'Organization not found.' } },
        })
      }
      const withKey = await gateway.read(at(id), stranger.key)
      expect(withKey.status).toBe(400)
    },
  )

  it('nothing of the calling key, since there is none', async () => {
    const { userId } = await gateway.createClient()
    const session = { cookie: await gateway.signIn(userId) }
    for (const path of ['/v1/key', '/v1/auth/key']) expect((await gateway.read(path, session)).status).toBe(401)
  })
})

function requestsIn(body: JsonObject): unknown[] {
  return Array.isArray(body['data']) ? body['data'] : []
}

async function onlyRequest(cookie: string, query: string): Promise<string> {
  const { body } = await gateway.read(`/v1/generations${query}`, { cookie })
  const requests = requestsIn(body)
  expect(requests).toEqual([expect.objectContaining({ id: expect.any(String) })])
  return String((requests as JsonObject[])[0]?.['id'])
}
