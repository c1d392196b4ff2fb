import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

async function newHome() {
  const { id } = await gateway.createOrganization()
  const { userId, memberId } = await gateway.addMember(id, { role: 'org_admin' })
  const { key } = await gateway.addOrganizationKey(id, { memberId, terms: { type: 'management' } })
  const session = gateway.as(await gateway.signIn(userId))
  return { id, path: `/api/orgs/${id}/webhook-secret`, session, manager: gateway.as(key) }
}

it("a session of an administrator sets and deletes the organization's secret", async () => {
  const { id, path, session, manager } = await newHome()
  expect((await session.get(path)).data).toEqual({ is_set: false, created_at: null })
  const made = await session.send('PUT', path)
  expect(made.status).toBe(201)
  expect(made.data['secret']).toMatch(/^whsec_/)
  // The organization's own management key sees the same secret, and the person's account has none.
  expect((await manager.get('/v1/webhooks/secret')).data['is_set']).toBe(true)
  expect((await session.get('/v1/webhooks/secret')).data['is_set']).toBe(false)
  expect((await session.delete(path)).status).toBe(204)
  expect((await session.get(path)).data['is_set']).toBe(false)
  const { rows } = await gateway.pool.query<{ action: string }>(
    `SELECT action FROM audit_entries WHERE chain_id = $1 AND action LIKE 'webhook.%' ORDER BY sequence`,
    [id],
  )
  expect(rows.map(({ action }) => action)).toEqual(['webhook.secret.set', 'webhook.secret.remove'])
})

it('other roles get 403, and other organizations 404', async () => {
  const { id, path } = await newHome()
  const { teamId } = await gateway.addTeam(id)
  for (const role of ['billing_viewer', 'team_admin', 'member'] as const) {
    const { userId } = await gateway.addMember(id, { role, teamId })
    expect((await gateway.as(await gateway.signIn(userId)).send('PUT', path)).status, role).toBe(403)
  }
  const other = await newHome()
  expect((await other.session.send('PUT', path)).status).toBe(404)
})
