import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ WEIR_LIMITS_ORGANIZATIONS_PER_USER: '2' })
})
afterAll(() => gateway.close())

async function newPerson() {
  const { userId, key } = await gateway.createClient()
  return { userId, key, session: gateway.as(await gateway.signIn(userId)) }
}

it('a person creates an organization, administers it and finds it prepaid without credit', async () => {
  const { userId, session } = await newPerson()
  const made = await session.post('/v1/orgs', { name: '  Blue Heron ' })
  expect(made.status).toBe(201)
  expect(made.data).toMatchObject({ name: 'Blue Heron', role: 'org_admin', creditBalance: 0, memberKeysMax: 0 })
  expect(made.data['slug']).toMatch(/^blue-heron-[0-9a-f]{10}$/)
  const { data } = await session.get(`/v1/orgs/${String(made.data['id'])}`)
  expect(data).toMatchObject({ billingMode: 'prepaid', creditLine: 0, plan: 'standard', memberCount: 1 })
  const { rows } = await gateway.pool.query(
    `SELECT action, actor_kind, actor_id FROM audit_entries WHERE chain_id = $1 ORDER BY sequence`,
    [made.data['id']],
  )
  expect(rows).toEqual([
    { action: 'org.create', actor_kind: 'user', actor_id: userId },
    { action: 'org_member.add', actor_kind: 'user', actor_id: userId },
  ])
})

it('two people take the same name, and neither learns of the other', async () => {
  for (const { session } of [await newPerson(), await newPerson()]) {
    const { status, data } = await session.post('/v1/orgs', { name: 'Same' })
    expect([status, data['name']]).toEqual([201, 'Same'])
  }
})

it('a name without letters makes a valid slug', async () => {
  const { session } = await newPerson()
  expect((await session.post('/v1/orgs', { name: '北京' })).data['slug']).toMatch(/^organization-[0-9a-f]{10}$/)
})

it('the limit holds for requests that come at once, and also after the person left an organization', async () => {
  const { userId, session } = await newPerson()
  const replies = await Promise.all(['a', 'b', 'c', 'd'].map((name) => session.post('/v1/orgs', { name })))
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
  await gateway.pool.query('DELETE FROM members WHERE user_id = $1', [userId])
  const { status, error } = await session.post('/v1/orgs', { name: 'e' })
  expect([status, error['message']]).toEqual([
    409,
    'You have already created 2 organizations, which is the limit on this gateway.',
  ])
})

it('needs a name, and a session', async () => {
  const { key, session } = await newPerson()
  expect((await session.post('/v1/orgs', {})).status).toBe(400)
  expect((await session.post('/v1/orgs', { name: ' ' })).status).toBe(400)
  expect((await gateway.as(key).post('/v1/orgs', { name: 'x' })).status).toBe(403)
})

it('is refused where only operators create organizations', async () => {
  const closed = await startTestGateway()
  try {
    const { userId } = await closed.createClient()
    const session = closed.as(await closed.signIn(userId))
    const { status, error } = await session.post('/v1/orgs', { name: 'x' })
    expect([status, error['message']]).toEqual([
      403,
      "You can't create organizations on this gateway. Ask its operator to create one for you.",
    ])
    expect((await session.get('/api/console/state')).json['creates_organizations']).toBe(false)
  } finally {
    await closed.close()
  }
})
