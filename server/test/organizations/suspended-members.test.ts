import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OrganizationWorld, startOrganizationWorld } from './organization-world.ts'

let world: OrganizationWorld

beforeAll(async () => {
  world = await startOrganizationWorld()
})
afterAll(() => world.close())

it('stops the keys and the session of a suspended member, keeps both, and restores them', async () => {
  const home = await world.newOrganization()
  const member = await world.addMember(home.id, { role: 'org_admin', monthlyBudgetUsd: '5' })
  const { key } = await world.addOrganizationKey(home.id, { memberId: member.memberId })
  const shared = await world.addOrganizationKey(home.id)
  const session = world.as(await world.signIn(member.userId))
  const seen = async () => ({
    key: await world.canCall(key),
    ownKey: (await world.as(key).get('/v1/key')).status,
    shared: (await world.as(shared.key).get('/v1/key')).status,
    organization: (await session.get(home.path)).status,
    requests: (await session.get(`/v1/generations?organization=${home.id}`)).status,
    listed: (await session.get('/v1/orgs')).list.length,
  })
  const whole = await seen()
  expect(whole).toMatchObject({ ownKey: 200, shared: 200, organization: 200, requests: 200, listed: 1 })
  const path = `${home.path}/members/${member.memberId}`
  const suspended = await home.admin.patch(path, { suspended: true })
  expect(suspended.data).toMatchObject({ suspended: true, role: 'org_admin', monthlyBudget: 5 })
  const stopped = await seen()
  expect(stopped).toEqual({ key: 403, ownKey: 403, shared: 200, organization: 404, requests: 404, listed: 0 })
  expect((await home.admin.get(`${home.path}/keys?member_id=${member.memberId}`)).list).toHaveLength(1)
  const restored = await home.admin.patch(path, { suspended: false })
  expect(restored.data).toMatchObject({ suspended: false })
  expect(await seen()).toEqual(whole)
  expect(await world.auditOf(home.id)).toMatchObject([
    { action: 'org_member.update', before: { suspended: false }, after: { suspended: true } },
    { action: 'org_member.update', before: { suspended: true }, after: { suspended: false } },
  ])
})

it('keeps one org_admin with access', async () => {
  const home = await world.newOrganization()
  const own = `${home.path}/members/${home.adminMember.memberId}`
  expect((await home.admin.patch(own, { suspended: true })).status).toBe(400)
  const other = await world.addMember(home.id, { role: 'org_admin' })
  expect((await home.admin.patch(`${home.path}/members/${other.memberId}`, { suspended: true })).status).toBe(200)
  expect((await home.admin.patch(own, { suspended: true })).status).toBe(400)
  expect((await home.admin.delete(own)).status).toBe(400)
})

it('takes a boolean only', async () => {
  const home = await world.newOrganization()
  const { memberId } = await world.addMember(home.id)
  for (const suspended of ['true', 1, null]) {
    expect((await home.admin.patch(`${home.path}/members/${memberId}`, { suspended })).status).toBe(400)
  }
})
