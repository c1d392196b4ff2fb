import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { authClient } from './auth-client.ts'

const email = 'ada@example.com'
const password = 'correct horse battery'

describe('a session that was begun more than ten minutes ago', () => {
  let gateway: TestGateway
  let auth: ReturnType<typeof authClient>
  let cookie: string
  beforeAll(async () => {
    gateway = await startTestGateway()
    auth = authClient(gateway)
    await auth.post('/sign-up/email', { email, password, name: 'Ada' })
  })
  afterAll(() => gateway.close())
  beforeEach(async () => {
    cookie = (await auth.post('/sign-in/email', { email, password })).cookie ?? ''
    await gateway.pool.query(`UPDATE auth_sessions SET created_at = created_at - interval '11 minutes'`)
  })

  const createsKey = (keyType: string, session = cookie) =>
    createClient(gateway.url, { cookie: session }).post('/v1/keys', { name: 'new', keyType })

  it('makes no management key, and says what to do', async () => {
    const refused = await createsKey('management')
    expect(refused.status).toBe(403)
    expect(refused.json['error']).toMatchObject({
      code: 'step_up_required',
      message: 'This action requires a recent sign-in (last 10 minutes). Sign in again and repeat the request.',
    })
    expect((await createsKey('standard')).status).toBe(201)
  })

  it('changes no role', async () => {
    const { rows } = await gateway.pool.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email])
    const { id } = await gateway.createOrganization()
    await gateway.addMember(id, { role: 'org_admin', userId: rows[0]?.id ?? '' })
    const { memberId } = await gateway.addMember(id)
    const change = (body: object) =>
      createClient(gateway.url, { cookie }).patch(`/v1/orgs/${id}/members/${memberId}`, body)
    expect((await change({ role: 'billing_viewer' })).json['error']).toMatchObject({ code: 'step_up_required' })
    expect((await change({ monthlyBudget: 3 })).status).toBe(200)
  })

  it('neither lists sessions nor adds a passkey', async () => {
    const listed = await auth.get('/list-sessions', { cookie })
    expect([listed.status, listed.body['code']]).toEqual([403, 'SESSION_NOT_FRESH'])
  })

  it('is replaced by signing in again, which ends it', async () => {
    const again = (await auth.post('/sign-in/email', { email, password }, { cookie })).cookie ?? ''
    expect((await createsKey('management', again)).status).toBe(201)
    expect((await createsKey('standard')).status).toBe(401)
  })

  it('of another person stays when one signs in over it', async () => {
    await auth.post('/sign-up/email', { email: 'bob@example.com', password, name: 'Bob' })
    await auth.post('/sign-in/email', { email: 'bob@example.com', password }, { cookie })
    expect((await createsKey('standard')).status).toBe(201)
  })
})
