import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { type ScimHome, type ScimWorld, startScimWorld, userBody } from './scim-world.ts'

let world: ScimWorld
let home: ScimHome
beforeAll(async () => {
  world = await startScimWorld()
  home = await world.newScimHome()
  await home.create('ada', { displayName: 'Ada King' })
  await home.create('grace', { externalId: 'G-2' })
  await home.create('edsger', { active: false })
})
afterAll(() => world.close())

const list = async (query: string) => (await home.scim.get(`/scim/v2/Users?${query}`)).json
const path = () => `/api/orgs/${home.id}/provisioning`
const namesIn = ({ Resources }: JsonObject): string[] =>
  (Resources as JsonObject[]).map(({ userName }) => String(userName).split('@')[0] ?? '')

describe('a filter', () => {
  it.each([
    ['userName eq "ADA@DOMAIN"', ['ada']],
    ['externalId eq "G-2"', ['grace']],
    ['externalId eq "g-2"', []],
    ['emails[type eq "work"].value eq "Grace@DOMAIN"', ['grace']],
    ['emails[type eq "home"].value eq "grace@DOMAIN"', []],
    ['emails.value eq "grace@DOMAIN"', ['grace']],
    ['emails eq "grace@DOMAIN"', ['grace']],
    ['displayName eq "ada king"', ['ada']],
    ['displayName eq "Test"', ['admin']],
    ['active eq false', ['edsger']],
    ['active ne false and externalId pr', ['ada', 'grace']],
    ['not (externalId pr)', ['admin']],
    ['externalId eq null', ['admin']],
    ['userName sw "gr" or userName sw "ed"', ['grace', 'edsger']],
    ['userName co "%"', []],
    ['name.familyName ew "st" and name.givenName gt "b"', ['grace', 'edsger']],
    ['name.givenName le "ada"', ['ada']],
    ['externalId ne "id-ada" and externalId pr', ['grace', 'edsger']],
    ['meta.created gt "2000-01-01T00:00:00Z" and userName sw "ada"', ['ada']],
    ['meta.lastModified lt "2000-01-01T00:00:00Z"', []],
    ['emails[primary eq true and value co "edsger"]', ['edsger']],
    [`userName eq "x' OR '1'='1"`, []],
  ])('%s finds %j', async (filter, expected) => {
    const found = await list(`filter=${encodeURIComponent(filter.replaceAll('DOMAIN', home.domain))}`)
    const shown = namesIn(found).map((name) => (name === home.adminMember.email.split('@')[0] ? 'admin' : name))
    expect(shown).toEqual(expected)
    expect(found['totalResults']).toBe(expected.length)
  })

  it.each([
    'userName eq',
    'shoeSize eq 44',
    'constructor pr',
    '__proto__ pr',
    'active eq "true"',
    'active gt true',
    'userName eq 5',
    'userName gt null',
    'meta.created co "2000"',
    'meta.created gt "never"',
    `userName eq "${'x'.repeat(3_000)}"`,
    `${'('.repeat(500)}active pr${')'.repeat(500)}`,
    `a eq "${'\n'.repeat(500)}`,
  ])('%s is refused', async (filter) => {
    const found = await list(`filter=${encodeURIComponent(filter)}`)
    expect(found).toMatchObject({ status: '400', scimType: 'invalidFilter' })
  })

  it('finds a member whom the directory does not know by the address of the account', async () => {
    const { email, memberId } = home.adminMember
    const found = await list(`filter=${encodeURIComponent(`userName eq "${email.toUpperCase()}"`)}`)
    expect(found).toMatchObject({ totalResults: 1, Resources: [{ id: memberId, userName: email }] })
  })
})

describe('a page', () => {
  it.each([
    ['', 4, 1],
    ['count=2', 2, 1],
    ['startIndex=3&count=100', 2, 3],
    ['startIndex=5', 0, 5],
    ['count=0', 0, 1],
    ['count=-1&startIndex=-5', 0, 1],
    ['count=100000', 4, 1],
  ])('%s has its part', async (query, itemsPerPage, startIndex) => {
    expect(await list(query)).toMatchObject({ totalResults: 4, itemsPerPage, startIndex })
  })

  it('has the attributes that the request names', async () => {
    const [wanted] = (await list('attributes=userName,emails.value'))['Resources'] as JsonObject[]
    expect(Object.keys(wanted ?? {}).sort()).toEqual(['emails', 'id', 'meta', 'schemas', 'userName'])
    const [rest] = (await list('excludedAttributes=emails,groups'))['Resources'] as JsonObject[]
    expect(Object.keys(rest ?? {})).not.toContain('emails')
    expect((await list('count=many'))['scimType']).toBe('invalidValue')
  })
})

describe('the service', () => {
  it('describes itself', async () => {
    const config = (await home.scim.get('/scim/v2/ServiceProviderConfig')).json
    expect(config).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { maxResults: 100 },
    })
    const types = (await home.scim.get('/scim/v2/ResourceTypes')).json
    expect(types).toMatchObject({ totalResults: 2, Resources: [{ id: 'User' }, { id: 'Group' }] })
    expect((await home.scim.get('/scim/v2/ResourceTypes/User')).json).toMatchObject({ endpoint: '/Users' })
    for (const id of ['User', 'Group']) {
      const urn = `urn:ietf:params:scim:schemas:core:2.0:${id}`
      expect((await home.scim.get(`/scim/v2/Schemas/${urn}`)).json).toMatchObject({ id: urn, name: id })
    }
    expect((await home.scim.get('/scim/v2/Schemas')).json).toMatchObject({ totalResults: 2 })
    expect((await home.scim.get('/scim/v2/Schemas/urn:unknown')).json).toMatchObject({ status: '404' })
  })

  it.each([
    ['GET', '/scim/v2/Nothing'],
    ['GET', '/scim/v2'],
    ['POST', '/scim/v2/Bulk'],
    ['GET', '/scim/v2/Users/none'],
    ['DELETE', '/scim/v2/Users'],
  ])('has no %s %s', async (method, path) => {
    const reply = await home.scim.send(method, path)
    expect(reply.json).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '404' })
    expect(reply.headers.get('content-type')).toContain('application/scim+json')
  })

  it.each([
    ['no JSON', '{', 400],
    ['an array', '[]', 400],
    ['a body that is too deep', '['.repeat(100) + ']'.repeat(100), 400],
    ['a body that is too large', `{"userName":"${'x'.repeat(1_100_000)}"}`, 413],
  ])('refuses %s', async (_name, body, status) => {
    const reply = await home.scim.post('/scim/v2/Users', body, { headers: { 'content-type': 'application/scim+json' } })
    expect(reply.status).toBe(status)
    expect(reply.json).toMatchObject({ status: String(status) })
  })

  it('refuses another content type', async () => {
    const reply = await home.scim.post('/scim/v2/Users', 'x', { headers: { 'content-type': 'text/plain' } })
    expect(reply.json).toMatchObject({ status: '415' })
  })
})

describe('a token', () => {
  it('sees and changes nothing of another organization', async () => {
    const other = await world.newScimHome()
    const user = await other.create('alan')
    const { json: group } = await other.scim.post('/scim/v2/Groups', { displayName: 'Secret' })
    const paths = [`/scim/v2/Users/${user['id']}`, `/scim/v2/Groups/${group['id']}`]
    const attempts = ['GET', 'PUT', 'PATCH', 'DELETE'].flatMap((method) => paths.map((path) => [method, path] as const))
    for (const [method, path] of attempts) {
      const body = method === 'PUT' ? { ...userBody('alan', home.domain), displayName: 'x' } : patch
      const unknown = path.replace(/[^/]+$/, '00000000-0000-7000-8000-000000000000')
      const [foreign, missing] = await Promise.all(
        [path, unknown].map((each) => home.scim.send(method, each, method === 'GET' ? undefined : body)),
      )
      expect(foreign?.status).toBe(404)
      expect(foreign?.text).toBe(missing?.text)
    }
    expect(await list(`filter=${encodeURIComponent(`userName eq "alan@${other.domain}"`)}`)).toMatchObject({
      totalResults: 0,
    })
    expect((await other.scim.get(`/scim/v2/Users/${user['id']}`)).json).toEqual(user)
    const stolen = await home.scim.post('/scim/v2/Users', userBody('ada', other.domain))
    expect(stolen.json).toMatchObject({ status: '400', scimType: 'invalidValue' })
  })

  it.each([
    ['none', undefined],
    ['an unknown one', 'scim-weir-unknown'],
    ['one that is too long', `scim-weir-${'x'.repeat(500)}`],
  ])('is needed: %s is refused', async (_name, key) => {
    const reply = await world.as(key).get('/scim/v2/Users')
    expect(reply.json).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' })
  })

  it('is no key, and a key is no token', async () => {
    expect((await home.admin.get('/scim/v2/Users')).status).toBe(401)
    expect((await home.scim.get('/v1/key')).status).toBe(401)
    expect((await home.session.get('/scim/v2/Users')).status).toBe(401)
  })

  it('is rotated with an overlap, expires and is revoked', async () => {
    const own = await world.newScimHome()
    const tokens = `/api/orgs/${own.id}/provisioning/tokens`
    const rotated = await own.session.post(`${tokens}/${own.token['id']}/rotate`, { overlapHours: 1 })
    expect(rotated.status).toBe(201)
    const successor = world.as(String(rotated.data['token']))
    const usable = async (client: typeof successor) => (await client.get('/scim/v2/Users?count=0')).status
    expect([await usable(own.scim), await usable(successor)]).toEqual([200, 200])
    const shown = (await own.session.get(`/api/orgs/${own.id}/provisioning`)).data
    expect(shown['tokens']).toMatchObject([{ name: 'Directory', expiresAt: null }, { name: 'Directory' }])
    expect(JSON.stringify(shown)).not.toContain(String(rotated.data['token']))
    await world.pool.query(`UPDATE scim_tokens SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      own.token['id'],
    ])
    expect([await usable(own.scim), await usable(successor)]).toEqual([401, 200])
    expect((await own.session.post(`${tokens}/${own.token['id']}/rotate`, {})).status).toBe(404)
    expect((await own.session.delete(`${tokens}/${rotated.data['id']}`)).status).toBe(204)
    expect(await usable(successor)).toBe(401)
    expect((await own.session.delete(`${tokens}/${rotated.data['id']}`)).status).toBe(404)
    const actions = (await world.auditOf(own.id)).map(({ action }) => action)
    expect(actions).toEqual(['scim.token.create', 'scim.token.rotate', 'scim.token.revoke'])
  })

  it('stops with its organization', async () => {
    const own = await world.newScimHome()
    await world.pool.query('UPDATE organizations SET suspended_at = now() WHERE id = $1', [own.id])
    expect((await own.scim.get('/scim/v2/Users')).status).toBe(401)
  })

  it.each([
    ['no name', {}],
    ['a lifetime of nothing', { name: 'x', expiresInDays: 0 }],
    ['a lifetime of years', { name: 'x', expiresInDays: 731 }],
  ])('is not created with %s', async (_name, body) => {
    expect((await home.session.post(`${path()}/tokens`, body)).status).toBe(400)
  })

  it('is one of ten at most', async () => {
    const own = await world.newScimHome()
    const create = () => own.session.post(`/api/orgs/${own.id}/provisioning/tokens`, { name: 'x', expiresInDays: 30 })
    for (let count = 1; count < 10; count += 1) expect((await create()).status).toBe(201)
    expect((await create()).status).toBe(409)
  })

  it('belongs to its organization', async () => {
    const other = await world.newScimHome()
    const foreign = `${path()}/tokens/${other.token['id']}`
    expect((await home.session.delete(foreign)).status).toBe(404)
    expect((await home.session.post(`${foreign}/rotate`, {})).status).toBe(404)
    expect((await home.session.delete(`${path()}/tokens/x`)).status).toBe(404)
    expect((await home.session.get(`/api/orgs/${other.id}/provisioning`)).status).toBe(404)
  })
})

it('shows administrators the state and the last refusals', async () => {
  const own = await world.newScimHome()
  const { id } = await own.create('ada')
  await own.scim.get('/scim/v2/Users/none')
  for (let count = 0; count < 25; count += 1) await own.patch(String(id), { op: 'move', path: `p${count}` })
  const shown = () => own.session.get(`/api/orgs/${own.id}/provisioning`)
  await expect.poll(async () => ((await shown()).data['failures'] as unknown[]).length).toBe(20)
  const { data } = await shown()
  expect(data).toMatchObject({ people: 1, activePeople: 1, groups: 0, baseUrl: expect.stringMatching(/\/scim\/v2$/) })
  expect(data['lastSyncAt']).toEqual(expect.any(String))
  const [newest] = data['failures'] as JsonObject[]
  expect(newest).toMatchObject({ status: 400, request: `PATCH /scim/v2/Users/${id}` })
})

const patch = { Operations: [{ op: 'replace', path: 'displayName', value: 'x' }] }
