import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '#test/setup/clock.ts'
import { createKeyOver, idsIn, type KeyWorld, startKeyWorld } from './key-world.ts'

const path = '/api/playground-keys'

describe('a playground key', () => {
  const clock = createTestClock(new Date().toISOString())
  let world: KeyWorld
  beforeAll(async () => {
    world = await startKeyWorld({ nowMs: clock.nowMs })
  })
  afterAll(() => world.close())

  async function person(usd?: string) {
    const caller = await world.createClient(usd === undefined ? {} : { usd })
    return { ...caller, session: { cookie: await world.signIn(caller.userId) } }
  }

  it('calls models on the wallet of the person, for an hour and up to a dollar', async () => {
    const { session, walletId, userId } = await person()
    const { status, json } = await world.send(session, 'POST', path, {})
    expect(status).toBe(201)
    expect(json).toEqual({
      id: expect.any(String),
      key: expect.stringMatching(/^sk-weir-/),
      limit: 1,
      expires_at: new Date(clock.nowMs() + 3_600_000).toISOString(),
      organization_id: null,
    })
    const key = String(json.key)
    expect(await world.spend({ key })).toBe(200)
    const { rows } = await world.pool.query('SELECT wallet_id, user_id, cost_nano FROM generations WHERE key_id = $1', [
      json.id,
    ])
    expect(rows).toEqual([{ wallet_id: walletId, user_id: userId, cost_nano: '6000000' }])
    clock.forward(3_599_000)
    expect(await world.spend({ key })).toBe(200)
    clock.forward(1_000)
    expect(await world.spend({ key })).toBe(401)
  })

  it('is in no list, and can be neither read, changed nor deleted as a key of the account', async () => {
    const { session, userId, keyId } = await person()
    const { json } = await world.send(session, 'POST', path, {})
    const manager = await world.addKey(userId, { type: 'management' })
    for (const as of [session, manager]) {
      expect(idsIn(await world.send(as, 'GET', '/v1/keys'))).toEqual([manager.keyId, keyId])
      for (const [method, body] of [
        ['PATCH', { limit: 1000 }],
        ['DELETE', undefined],
      ] as const) {
        expect((await world.send(as, method, `/v1/keys/${String(json.id)}`, body)).status).toBe(404)
      }
    }
    expect(await world.spend({ key: String(json.key) })).toBe(200)
  })

  it('spends no more than its cap and no more than the wallet has', async () => {
    const { session } = await person()
    const { json } = await world.send(session, 'POST', path, { limit: 0.01, expires_in: 60 })
    expect(json).toMatchObject({ limit: 0.01, expires_at: new Date(clock.nowMs() + 60_000).toISOString() })
    expect(await world.spend({ key: String(json.key) })).toBe(200)
    expect(await world.spend({ key: String(json.key) })).toBe(402)
    const poor = await person('0.001')
    const made = await world.send(poor.session, 'POST', path, {})
    expect(await world.spend({ key: String(made.json.key) })).toBe(402)
  })

  it.each([
    [{ limit: 5.000000001 }, /^limit must be .* from 0 to 5\./],
    [{ limit: -1 }, /^limit must be .* from 0 to 5\./],
    [{ limit: 'much' }, /^limit must be a number/],
    [{ expires_in: 3601 }, /^expires_in must be .* from 60 to 3600\./],
    [{ expires_in: 59 }, /^expires_in/],
    [{ expires_in: 60.5 }, /^expires_in must be an integer/],
  ])('is not made with %j', async (body, message) => {
    const { session } = await person()
    const { status, json } = await world.send(session, 'POST', path, body)
    expect(status).toBe(400)
    expect(json.error).toMatchObject({ message: expect.stringMatching(message) })
  })

  it('is made by a session of the website alone', async () => {
    const { userId, key, session } = await person()
    const manager = await world.addKey(userId, { type: 'management' })
    for (const as of [manager, { key }]) expect((await world.send(as, 'POST', path, {})).status).toBe(403)
    const foreign = { headers: { origin: 'https://evil.example.com' } }
    expect((await world.as(session).send('POST', path, {}, foreign)).status).toBe(403)
  })

  it('ends the oldest of a person when there are more than twenty, and takes no place of a key', async () => {
    const { session } = await person()
    const made: string[] = []
    for (let count = 0; count < 21; count += 1) {
      made.push(String((await world.send(session, 'POST', path, {})).json.key))
      clock.forward(1)
    }
    const [first = '', second = ''] = made
    expect(await world.spend({ key: first })).toBe(401)
    expect(await world.spend({ key: second })).toBe(200)
    await createKeyOver(world, session)
  })

  it('is paid by an organization where the person may make keys, and counts in the budget of that member', async () => {
    const { id: organizationId, walletId } = await world.createOrganization()
    const admin = await world.addMember(organizationId, { role: 'org_admin' })
    const session = { cookie: await world.signIn(admin.userId) }
    const { status, json } = await world.send(session, 'POST', `${path}?organization=${organizationId}`, {})
    expect([status, json.organization_id]).toEqual([201, organizationId])
    expect(await world.spend({ key: String(json.key) })).toBe(200)
    const { rows } = await world.pool.query('SELECT wallet_id, member_id FROM generations WHERE key_id = $1', [json.id])
    expect(rows).toEqual([{ wallet_id: walletId, member_id: admin.memberId }])
    const list = await world.send(session, 'GET', `/v1/orgs/${organizationId}/keys`)
    expect(idsIn(list)).toEqual([])
    const change = await world.send(session, 'PATCH', `/v1/orgs/${organizationId}/keys/${String(json.id)}`, {})
    expect(change.status).toBe(404)
    expect(await world.auditOf(String(json.id))).toMatchObject([
      {
        chain_id: organizationId,
        actor_kind: 'user',
        actor_id: admin.userId,
        action: 'key.create',
        after: { playground: true, memberId: admin.memberId, spendLimitUsd: 1 },
      },
    ])
  })

  it('is refused to a member who may make no keys, and to strangers as if the organization never was', async () => {
    const { id: organizationId } = await world.createOrganization()
    const member = await world.addMember(organizationId, { role: 'member' })
    const asMember = { cookie: await world.signIn(member.userId) }
    expect((await world.send(asMember, 'POST', `${path}?organization=${organizationId}`, {})).status).toBe(403)
    const { session } = await person()
    expect((await world.send(session, 'POST', `${path}?organization=${organizationId}`, {})).status).toBe(404)
  })
})
