import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { keyPageStatement } from '#store/postgres/keys/select-keys.sql.ts'
import { memberPageStatement } from '#store/postgres/organizations/members.sql.ts'
import { teamPageStatement } from '#store/postgres/organizations/teams.sql.ts'
import { rowsSeen } from '#test/setup/rows-seen.ts'
import { createKeyOver, type KeyWorld, startKeyWorld } from './key-world.ts'

type Credential = Parameters<KeyWorld['send']>[0]

const namesOf = (pages: JsonObject[][]) => pages.map((page) => page.map(({ name }) => name))

describe('lists page by page', () => {
  let world: KeyWorld
  beforeAll(async () => {
    world = await startKeyWorld()
  })
  afterAll(() => world.close())

  /** Reads all pages of a list. */
  async function pagesOf(as: Credential, path: string): Promise<JsonObject[][]> {
    const pages: JsonObject[][] = []
    let cursor: unknown = ''
    do {
      const at: string = cursor === '' ? path : `${path}&cursor=${String(cursor)}`
      const { status, json, text } = await world.send(as, 'GET', at)
      expect(status, text).toBe(200)
      expect(json).not.toHaveProperty('total_count')
      pages.push(Array.isArray(json.data) ? json.data.filter(isJsonObject) : [])
      cursor = json.next_cursor
    } while (cursor !== null && pages.length < 20)
    return pages
  }

  async function keysNamed(names: readonly string[]) {
    const manager = await world.manager()
    for (const name of names) await createKeyOver(world, manager, { name })
    return manager
  }

  it('show keys in each order exactly once, and whole without a parameter', async () => {
    const manager = await keysNamed(['beta', 'Alpha', 'gamma', 'delta'])
    // The management key itself is named test.
    expect(namesOf(await pagesOf(manager, '/v1/keys?limit=2'))).toEqual([
      ['delta', 'gamma'],
      ['Alpha', 'beta'],
      ['test'],
    ])
    expect(namesOf(await pagesOf(manager, '/v1/keys?limit=3&sort=name'))).toEqual([
      ['Alpha', 'beta', 'delta'],
      ['gamma', 'test'],
    ])
    expect(namesOf(await pagesOf(manager, '/v1/keys?limit=5&sort=-name'))).toEqual([
      ['test', 'gamma', 'delta', 'beta', 'Alpha'],
    ])
    expect(namesOf(await pagesOf(manager, '/v1/keys?limit=3&sort=created'))).toEqual([
      ['test', 'beta', 'Alpha'],
      ['gamma', 'delta'],
    ])
    const whole = await world.send(manager, 'GET', '/v1/keys')
    expect(whole.json).toMatchObject({ total_count: 5 })
    expect(whole.json).not.toHaveProperty('next_cursor')
  })

  it('go on after keys that were deleted meanwhile, and after names of every kind', async () => {
    const manager = await keysNamed(['a b', 'ä', 'ключ', "o'c", '日本'])
    const first = await world.send(manager, 'GET', '/v1/keys?limit=2&sort=name')
    const shown = Array.isArray(first.json.data) ? first.json.data.filter(isJsonObject) : []
    expect((await world.send(manager, 'DELETE', `/v1/keys/${String(shown.at(-1)?.id)}`)).status).toBe(204)
    const next = await world.send(manager, 'GET', `/v1/keys?limit=5&sort=name&cursor=${String(first.json.next_cursor)}`)
    const rest = Array.isArray(next.json.data) ? next.json.data.filter(isJsonObject) : []
    const names = [...shown, ...rest].map(({ name }) => name)
    expect(new Set(names)).toEqual(new Set(['a b', 'ä', 'ключ', "o'c", '日本', 'test']))
    expect(names).toHaveLength(6)
  })

  it('find keys by a part of the name, by the end of the secret and by id', async () => {
    const manager = await keysNamed(['Laptop', 'laptop of 100%', 'server'])
    const found = async (q: string) =>
      (await pagesOf(manager, `/v1/keys?q=${encodeURIComponent(q)}&sort=name`)).flat().map(({ name }) => name)
    expect(await found('LAPTOP')).toEqual(['Laptop', 'laptop of 100%'])
    expect(await found('100%')).toEqual(['laptop of 100%'])
    expect(await found('_')).toEqual([])
    const { id, key } = await createKeyOver(world, manager, { name: 'other' })
    expect(await found(id)).toEqual(['other'])
    expect(await found(key.slice(-4))).toEqual(['other'])
  })

  it.each(['limit=0', 'limit=101', 'sort=usage', 'cursor=x', 'sort=name&cursor='])('refuse %s', async (query) => {
    const manager = await keysNamed(['a', 'b'])
    const { json } = await world.send(manager, 'GET', '/v1/keys?limit=1')
    const path = `/v1/keys?${query.replace(/cursor=$/, `cursor=${String(json.next_cursor)}`)}`
    expect((await world.send(manager, 'GET', path)).status).toBe(400)
  })

  it('show an organization its keys, members and teams, and a team_admin those of the own team', async () => {
    const { id: organizationId } = await world.createOrganization()
    const { teamId } = await world.addTeam(organizationId, { name: 'red' })
    await world.addTeam(organizationId, { name: 'Blue' })
    const admin = await world.addMember(organizationId, { role: 'org_admin' })
    const leader = await world.addMember(organizationId, { role: 'team_admin', teamId })
    const member = await world.addMember(organizationId, { role: 'member', teamId })
    for (const { memberId } of [admin, member]) await world.addOrganizationKey(organizationId, { memberId })
    const asAdmin = { cookie: await world.signIn(admin.userId) }
    const asLeader = { cookie: await world.signIn(leader.userId) }
    const at = `/v1/orgs/${organizationId}`
    const ids = async (as: Credential, path: string) =>
      (await pagesOf(as, `${at}${path}`)).map((page) => page.map(({ id }) => id))
    expect(await ids(asAdmin, '/members?limit=2')).toEqual([[admin.memberId, leader.memberId], [member.memberId]])
    expect(await ids(asAdmin, '/members?limit=2&sort=-joined')).toEqual([
      [member.memberId, leader.memberId],
      [admin.memberId],
    ])
    expect(await ids(asLeader, '/members?limit=5')).toEqual([[leader.memberId, member.memberId]])
    const { rows } = await world.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [member.userId])
    const q = encodeURIComponent(rows[0]?.email.toUpperCase() ?? '')
    expect(await ids(asAdmin, `/members?q=${q}`)).toEqual([[member.memberId]])
    expect(await ids(asAdmin, `/members?team=${teamId}`)).toEqual([[leader.memberId, member.memberId]])
    expect(await ids(asAdmin, `/members?team=${teamId}&limit=1`)).toEqual([[leader.memberId], [member.memberId]])
    expect(await ids(asAdmin, '/members?team=none')).toEqual([[admin.memberId]])
    const foreign = (await world.addTeam((await world.createOrganization()).id)).teamId
    for (const [as, team] of [
      [asAdmin, foreign],
      [asAdmin, newUuid(Date.now())],
      [asLeader, 'none'],
      [asLeader, foreign],
    ] as const) {
      expect(await ids(as, `/members?team=${team}`)).toEqual([[]])
    }
    expect((await world.as(asAdmin).get(`${at}/members?team=blue`)).status).toBe(400)
    expect(namesOf(await pagesOf(asAdmin, `${at}/teams?limit=1`))).toEqual([['Blue'], ['red']])
    expect(namesOf(await pagesOf(asAdmin, `${at}/teams?limit=5&sort=created`))).toEqual([['red', 'Blue']])
    expect(namesOf(await pagesOf(asAdmin, `${at}/teams?q=LU`))).toEqual([['Blue']])
    expect(await ids(asLeader, '/teams?limit=5')).toEqual([[teamId]])
    expect((await pagesOf(asAdmin, `${at}/keys?limit=1`)).map((page) => page.length)).toEqual([1, 1])
    expect((await pagesOf(asLeader, `${at}/keys?limit=1`)).map((page) => page.length)).toEqual([1])
  })

  it('are read no further than they are shown', async () => {
    const { userId } = await world.createClient()
    const { id: organizationId } = await world.createOrganization()
    await world.pool.query(
      `INSERT INTO api_keys (id, secret_hash, prefix, suffix, name, type, user_id, wallet_id, created_at)
        SELECT gen_random_uuid(), sha256(n::text::bytea), 'sk-weir-', 'abcd', 'key ' || n, 'standard', $1, gen_random_uuid(),
          now() - n * interval '1 minute' FROM generate_series(1, 5000) AS n`,
      [userId],
    )
    await world.pool.query(
      `WITH people AS (INSERT INTO users (id, email, name)
          SELECT gen_random_uuid(), 'many' || n || '@example.com', 'Many' FROM generate_series(1, 40000) AS n RETURNING id)
        INSERT INTO members (id, organization_id, user_id, role, joined_at)
        SELECT gen_random_uuid(), $1, id, 'member', now() - random() * interval '1 year' FROM people LIMIT 5000`,
      [organizationId],
    )
    await world.pool.query(
      `INSERT INTO teams (id, organization_id, name, created_at)
        SELECT gen_random_uuid(), $1, 'team ' || n, now() - n * interval '1 minute' FROM generate_series(1, 1000) AS n`,
      [organizationId],
    )
    await world.pool.query('ANALYZE api_keys; ANALYZE users; ANALYZE members; ANALYZE teams')
    const nowMs = Date.now()
    const place = { organizationId, monthStart: '2026-01-01' }
    const request = { search: null, limit: 20, descending: true }
    const id = newUuid(nowMs)
    const [moment, name] = [
      { value: String((nowMs - 86_400_000) * 1000), id },
      { value: 'key 3', id },
    ]
    const account = { kind: 'user', userId } as const
    for (const statement of [
      keyPageStatement({ account, nowMs }, { ...request, sort: 'created', after: null }),
      keyPageStatement({ account, nowMs }, { ...request, sort: 'created', after: moment }),
      keyPageStatement({ account, nowMs }, { ...request, sort: 'name', after: null }),
      keyPageStatement({ account, nowMs }, { ...request, sort: 'name', after: name }),
      memberPageStatement(place, { ...request, sort: 'joined', after: null }),
      memberPageStatement(place, { ...request, sort: 'joined', after: moment }),
      memberPageStatement({ ...place, inTeam: null }, { ...request, sort: 'joined', after: null }),
      memberPageStatement({ ...place, isIdle: true }, { ...request, sort: 'joined', after: null }),
      teamPageStatement(place, { ...request, sort: 'name', after: null }),
      teamPageStatement(place, { ...request, sort: 'created', after: moment }),
    ]) {
      expect(await rowsSeen(world.pool, statement), statement.text).toBeLessThan(600)
    }
  })
})
