import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScimWorld, startScimWorld, userBody, verifyDomain } from './scim-world.ts'

let world: ScimWorld
beforeAll(async () => {
  world = await startScimWorld()
})
afterAll(() => world.close())

const accountOf = async (memberId: unknown) => {
  const text = `SELECT u.email, u.name, u.email_verified, a.email AS sign_in, p.id AS password FROM members m
    JOIN users u ON u.id = m.user_id LEFT JOIN auth_users a ON a.id = u.id
    LEFT JOIN auth_accounts p ON p.user_id = u.id WHERE m.id = $1`
  return (await world.pool.query(text, [memberId])).rows[0]
}

describe('a new user', () => {
  it('becomes a member with an account, without a password, by the token as the actor', async () => {
    const home = await world.newScimHome()
    const reply = await home.scim.post('/scim/v2/Users', userBody('ada', home.domain))
    expect(reply.status).toBe(201)
    expect(reply.headers.get('content-type')).toContain('application/scim+json')
    const user = reply.json
    expect(user).toMatchObject({ userName: `ada@${home.domain}`, externalId: 'id-ada', active: true, groups: [] })
    expect(reply.headers.get('location')).toMatch(new RegExp(`/scim/v2/Users/${user['id']}$`))
    expect(await accountOf(user['id'])).toEqual({
      email: `ada@${home.domain}`,
      name: 'ada Test',
      email_verified: true,
      sign_in: `ada@${home.domain}`,
      password: null,
    })
    const listed = (await home.admin.get(`${home.path}/members`)).list
    expect(listed).toMatchObject([{}, { id: user['id'], role: 'member', suspended: false }])
    const entry = (await world.auditOf(home.id)).at(-1)
    expect(entry).toMatchObject({ action: 'org_member.add', actor_kind: 'scim_token', actor_id: home.token['id'] })
  })

  it.each([
    ['another domain', { userName: 'a@else.example', emails: [{ value: 'a@else.example' }] }, 400, 'invalidValue'],
    ['a subdomain', { userName: 'a@sub.DOMAIN', emails: [] }, 400, 'invalidValue'],
    ['no user name', { userName: '' }, 400, 'invalidValue'],
    ['a user name of another', { userName: 'ADA@DOMAIN', externalId: 'x' }, 409, 'uniqueness'],
    ['an id of another', { userName: 'b@DOMAIN', emails: [], externalId: 'id-ada' }, 409, 'uniqueness'],
    ['an address of another', { userName: 'b', externalId: 'x' }, 409, 'uniqueness'],
  ])('is refused with %s', async (_name, attributes, status, scimType) => {
    const home = await world.newScimHome()
    await home.create('ada')
    const body = JSON.stringify({ ...userBody('ada', home.domain), ...attributes }).replaceAll('DOMAIN', home.domain)
    const reply = await home.scim.post('/scim/v2/Users', body, { headers: { 'content-type': 'application/scim+json' } })
    expect({ status: reply.status, ...reply.json }).toMatchObject({
      status: String(status),
      scimType,
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    })
    expect(reply.status).toBe(status)
    expect(reply.headers.get('content-type')).toContain('application/scim+json')
  })

  it('links an account with a confirmed address, and never one without', async () => {
    const home = await world.newScimHome()
    const { userId } = await world.createClient()
    const address = `grace@${home.domain}`
    await world.pool.query('UPDATE users SET email = $2, email_verified = false WHERE id = $1', [userId, address])
    const refused = await home.scim.post('/scim/v2/Users', userBody('grace', home.domain))
    expect({ status: refused.status, scimType: refused.json['scimType'] }).toEqual({
      status: 409,
      scimType: 'uniqueness',
    })
    await world.pool.query('UPDATE users SET email_verified = true WHERE id = $1', [userId])
    const user = await home.create('grace')
    expect((await home.patch(String(user['id']), { op: 'replace', path: 'displayName', value: 'Other' })).status).toBe(
      200,
    )
    expect(await accountOf(user['id'])).toMatchObject({ email: address, name: 'Test' })
    await verifyDomain(world, home.id, `new.${home.domain}`)
    const moved = { op: 'replace', path: 'emails[type eq "work"].value', value: `grace@new.${home.domain}` }
    expect((await home.patch(String(user['id']), moved)).status).toBe(200)
    expect(await accountOf(user['id'])).toMatchObject({ email: address, name: 'Test' })
  })

  it('is refused without a seat', async () => {
    const home = await world.newScimHome()
    await world.pool.query('UPDATE organizations SET seats = 1 WHERE id = $1', [home.id])
    const reply = await home.scim.post('/scim/v2/Users', userBody('ada', home.domain))
    expect(reply.status).toBe(409)
    expect(await world.pool.query('SELECT FROM users WHERE email = $1', [`ada@${home.domain}`])).toMatchObject({
      rowCount: 0,
    })
  })

  it('may be created inactive', async () => {
    const home = await world.newScimHome()
    expect(await home.create('ada', { active: 'False' })).toMatchObject({ active: false })
  })
})

describe('a change of a user', () => {
  it('follows the address and name of an account that provisioning created', async () => {
    const home = await world.newScimHome()
    const { id } = await home.create('ada')
    const address = `king@${home.domain}`
    const reply = await home.patch(
      String(id),
      { op: 'Replace', path: 'userName', value: address },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: address.toUpperCase() },
      { op: 'Add', path: 'displayName', value: 'Ada King' },
    )
    expect(reply.json).toMatchObject({ userName: address, displayName: 'Ada King', emails: [{ value: address }] })
    expect(await accountOf(id)).toMatchObject({ email: address, sign_in: address, name: 'Ada King' })
    expect((await world.auditOf(home.id)).at(-1)).toMatchObject({
      action: 'scim.user.update',
      details: { fields: ['userName', 'email', 'displayName'] },
    })
    const outside = { op: 'replace', path: 'emails[type eq "work"].value', value: 'ada@else.example' }
    expect((await home.patch(String(id), outside)).json).toMatchObject({ scimType: 'invalidValue' })
    const { id: other } = await home.create('grace')
    const taken = { op: 'replace', path: 'emails[type eq "work"].value', value: address }
    expect((await home.patch(String(other), taken)).json).toMatchObject({ scimType: 'uniqueness' })
  })

  it.each<[string, string]>([
    ['an administrator', "UPDATE members SET role = 'org_admin', team_id = NULL WHERE user_id = $1"],
    [
      'a password',
      `INSERT INTO auth_accounts (id, user_id, provider_id, account_id) VALUES (gen_random_uuid(), $1::uuid, 'credential', $1::text)`,
    ],
    [
      'credit of its own',
      `UPDATE wallets SET credited_nano = 1, balance_nano = 1 WHERE owner_kind = 'user' AND owner_id = $1`,
    ],
  ])('leaves the address of an account with %s as it is', async (_what, statement) => {
    const home = await world.newScimHome()
    const { id } = await home.create('ada')
    const { rows } = await world.pool.query('SELECT user_id FROM members WHERE id = $1', [id])
    await world.pool.query(statement, [rows[0]?.['user_id']])
    const before = await accountOf(id)
    const email = { op: 'replace', path: 'emails[type eq "work"].value', value: `mallory@${home.domain}` }
    expect((await home.patch(String(id), email)).json).toMatchObject({ emails: [{ value: `mallory@${home.domain}` }] })
    expect(await accountOf(id)).toEqual(before)
  })

  it('ends links in the old mailbox when the address changes', async () => {
    const home = await world.newScimHome()
    const { id } = await home.create('ada')
    const { rows } = await world.pool.query('SELECT user_id FROM members WHERE id = $1', [id])
    const userId = String(rows[0]?.['user_id'])
    const text = `INSERT INTO auth_verifications (id, identifier, value, expires_at) VALUES (gen_random_uuid(), $1, $2, now() + interval '1 hour')`
    for (const value of [userId, 'another person']) await world.pool.query(text, [`reset-password:${value}`, value])
    await home.patch(String(id), { op: 'replace', path: 'emails[type eq "work"].value', value: `king@${home.domain}` })
    const left = await world.pool.query('SELECT value FROM auth_verifications WHERE value = ANY ($1)', [
      [userId, 'another person'],
    ])
    expect(left.rows).toEqual([{ value: 'another person' }])
  })

  it('leaves an account with another membership as it is', async () => {
    const home = await world.newScimHome()
    const user = await home.create('ada')
    const elsewhere = await world.newOrganization()
    const { rows } = await world.pool.query('SELECT user_id FROM members WHERE id = $1', [user['id']])
    await world.addMember(elsewhere.id, { userId: String(rows[0]?.['user_id']) })
    const before = await accountOf(user['id'])
    const body = { ...userBody('king', home.domain), externalId: 'id-ada', displayName: 'Mallory' }
    const reply = await home.scim.put(`/scim/v2/Users/${user['id']}`, body)
    expect(reply.json).toMatchObject({ userName: `king@${home.domain}`, displayName: 'Mallory' })
    expect(await accountOf(user['id'])).toEqual(before)
  })

  it.each([
    ['Entra', [{ op: 'Replace', path: 'active', value: 'False' }], [{ op: 'Replace', path: 'active', value: 'True' }]],
    ['Okta', [{ op: 'replace', value: { active: false } }], [{ op: 'replace', value: { active: true } }]],
  ])('suspends the member as %s sends it, stops their keys and sessions, and restores them', async (_name, off, on) => {
    const home = await world.newScimHome()
    const { id } = await home.create('ada')
    const { rows } = await world.pool.query('SELECT user_id FROM members WHERE id = $1', [id])
    const session = world.as(await world.signIn(String(rows[0]?.['user_id'])))
    const { key } = await world.addOrganizationKey(home.id, { memberId: String(id) })
    const seen = async () => ({ key: await world.canCall(key), listed: (await session.get('/v1/orgs')).list.length })
    const before = await seen()
    expect(before.listed).toBe(1)
    expect((await home.patch(String(id), ...off)).json).toMatchObject({ active: false })
    expect(await seen()).toEqual({ key: 403, listed: 0 })
    const found = await home.scim.get(`/scim/v2/Users?filter=userName eq "ADA@${home.domain}"`)
    expect(found.json).toMatchObject({ totalResults: 1, Resources: [{ id, active: false }] })
    expect((await home.patch(String(id), ...on)).json).toMatchObject({ active: true })
    expect(await seen()).toEqual(before)
    const entries = (await world.auditOf(home.id)).filter(({ action }) => action === 'org_member.update')
    expect(entries).toMatchObject([{ after: { suspended: true } }, { after: { suspended: false } }])
  })

  it('writes nothing if nothing changes', async () => {
    const home = await world.newScimHome()
    const { id } = await home.create('ada')
    const before = (await world.auditOf(home.id)).length
    await home.patch(String(id), { op: 'replace', path: 'active', value: true })
    await home.scim.put(`/scim/v2/Users/${id}`, userBody('ada', home.domain))
    expect(await world.auditOf(home.id)).toHaveLength(before)
  })
})

describe('the removal of a user', () => {
  it('ends the membership and its keys, and keeps account and history', async () => {
    const home = await world.newScimHome()
    const { id } = await home.create('ada')
    const account = await accountOf(id)
    const { key } = await world.addOrganizationKey(home.id, { memberId: String(id) })
    expect((await home.scim.delete(`/scim/v2/Users/${id}`)).status).toBe(204)
    expect(await world.canCall(key)).toBe(401)
    expect((await home.scim.get(`/scim/v2/Users/${id}`)).status).toBe(404)
    expect((await home.scim.delete(`/scim/v2/Users/${id}`)).status).toBe(404)
    expect((await world.auditOf(home.id)).at(-1)).toMatchObject({ action: 'org_member.remove', target_id: id })
    const again = await home.create('ada')
    expect(again['id']).not.toBe(id)
    expect(await accountOf(again['id'])).toEqual(account)
  })

  it('spares the last administrator, who cannot be suspended either', async () => {
    const home = await world.newScimHome()
    const { memberId } = home.adminMember
    const path = `/scim/v2/Users/${memberId}`
    expect((await home.scim.delete(path)).json).toMatchObject({
      status: '403',
      detail: expect.stringContaining('last'),
    })
    expect((await home.patch(memberId, { op: 'replace', path: 'active', value: false })).status).toBe(403)
    const other = await world.addMember(home.id, { role: 'org_admin' })
    expect((await home.patch(memberId, { op: 'replace', path: 'active', value: false })).status).toBe(200)
    expect((await home.scim.delete(`/scim/v2/Users/${other.memberId}`)).status).toBe(403)
    expect((await home.scim.delete(path)).status).toBe(204)
  })
})
