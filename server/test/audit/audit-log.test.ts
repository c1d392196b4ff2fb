import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditAction } from '#domain/audit/audit-entry.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { append } from './audit-world.ts'

describe('GET /api/orgs/:orgId/audit-log', () => {
  let gateway: TestGateway
  let organizationId: string
  let adminKey: string

  beforeAll(async () => {
    gateway = await startTestGateway()
    organizationId = (await gateway.createOrganization()).id
    adminKey = await keyOf(organizationId, 'org_admin')
  })
  afterAll(() => gateway.close())

  async function keyOf(organization: string, role: 'org_admin' | 'billing_viewer' | 'member'): Promise<string> {
    const { userId } = await gateway.addMember(organization, { role })
    return (await gateway.addKey(userId, { type: 'management' })).key
  }

  async function read(query: string, key = adminKey, organization = organizationId) {
    const { status, json, list: data } = await gateway.as(key).get(`/api/orgs/${organization}/audit-log${query}`)
    return { status, json, data }
  }

  it('[AUDIT-05] names who changed what, when, and under which request', async () => {
    const beforeMs = Date.now()
    const actorId = newUuid(beforeMs)
    await append(gateway.pool, organizationId, {
      actor: { kind: 'user', id: actorId, name: 'ada@weir.test' },
      requestId: 'req_9',
      before: { name: 'Old', settings: { dark: false } },
      after: { name: 'New', settings: { dark: true } },
    })
    const { status, data } = await read('?limit=1')
    expect(status).toBe(200)
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        sequence: expect.any(Number),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        actor: { kind: 'user', id: actorId, name: 'ada@weir.test' },
        action: 'org.update',
        target: { kind: 'organization', id: organizationId },
        before: { name: 'Old', settings: { dark: false } },
        after: { name: 'New', settings: { dark: true } },
        details: null,
        requestId: 'req_9',
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
    const at = Date.parse(String(data[0]?.at))
    expect(at).toBeGreaterThanOrEqual(beforeMs)
    expect(at).toBeLessThanOrEqual(Date.now())
  })

  it('gives pages, newest first, that neither repeat nor leave out an entry while the log grows', async () => {
    const { id } = await gateway.createOrganization()
    const key = await keyOf(id, 'org_admin')
    for (let at = 0; at < 7; at += 1) await append(gateway.pool, id)
    const seen: unknown[] = []
    let cursor: unknown = ''
    while (cursor !== null) {
      const { json, data } = await read(`?limit=3${cursor === '' ? '' : `&before=${String(cursor)}`}`, key, id)
      seen.push(...sequences(data))
      cursor = json.next_cursor
      await append(gateway.pool, id)
    }
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1])
    // A last page that is exactly full has no cursor.
    expect((await read('?limit=2&before=3', key, id)).json.next_cursor).toBeNull()
  })

  it('filters by action or its beginning, actor and time', async () => {
    const { id } = await gateway.createOrganization()
    const key = await keyOf(id, 'org_admin')
    const [ada, bob] = [newUuid(Date.now()), newUuid(Date.now())]
    const actions: [AuditAction, string][] = [
      ['filter.rule.create', ada],
      ['filter.blocked', bob],
      ['org.update', ada],
      ['org.cb.update', ada],
    ]
    for (const [action, actorId] of actions) {
      await append(gateway.pool, id, { action, actor: { kind: 'user', id: actorId, name: null } })
    }
    const all = (await read('', key, id)).data
    const momentOf = (sequence: number) => String(all.find((entry) => entry.sequence === sequence)?.at)
    for (const [query, expected] of [
      ['?action=filter.', [2, 1]],
      ['?action=filter.rule.', [1]],
      ['?action=filter.blocked', [2]],
      ['?action=filter', []],
      ['?action=org.', [4, 3]],
      ['?action=org.update', [3]],
      [`?actorId=${ada}`, [4, 3, 1]],
      [`?actorId=${ada}&action=filter.`, [1]],
      [`?actorId=${newUuid(Date.now())}`, []],
      ['?from=2020-01-01', [4, 3, 2, 1]],
      ['?to=2020-01-01', []],
      ['?from=2100-01-01', []],
      [`?from=${momentOf(4).slice(0, -4)}Z&to=2100-01-01T00:00:00Z`, expect.arrayContaining([4])],
      ['?to=2100-01-01T00:00:00%2B02:00&limit=1', [4]],
    ] as const) {
      expect(sequences((await read(query, key, id)).data), query).toEqual(expected)
    }
  })

  it.each([
    'limit=0',
    'limit=201',
    'limit=-1',
    'limit=x',
    'limit=1e2',
    'before=x',
    'before=-1',
    'before=99999999999999999999',
    'from=yesterday',
    'to=2026-13-45',
    'to=2026-02-30',
    "action=org'--",
    'action=%25',
    'actorId=%00',
    `actorId=${'x'.repeat(201)}`,
  ])('refuses a query that it can not follow: %s', async (query) => {
    expect((await read(`?${query}`)).status).toBe(400)
    expect((await read(`/export?${query}`)).status).toBe(
      query.startsWith('limit') || query.startsWith('before') ? 200 : 400,
    )
  })

  it('is for administrators of the organization alone', async () => {
    const { id } = await gateway.createOrganization()
    await append(gateway.pool, id)
    const stranger = (await gateway.createClient({ terms: { type: 'management' } })).key
    const standard = (await gateway.addKey((await gateway.addMember(id, { role: 'org_admin' })).userId)).key
    for (const path of ['', '/export']) {
      expect((await read(path, await keyOf(id, 'billing_viewer'), id)).status).toBe(403)
      expect((await read(path, await keyOf(id, 'member'), id)).status).toBe(403)
      expect((await read(path, standard, id)).status).toBe(403)
      expect((await read(path, stranger, id)).status).toBe(404)
      expect((await read(path, adminKey, id)).status).toBe(404)
      expect((await read(path, 'sk-weir-wrong', id)).status).toBe(401)
    }
  })

  // A management key only serves administrators; only a session shows the rights of a role.
  it.each([
    ['org_admin', 200],
    ['billing_viewer', 403],
    ['team_admin', 403],
    ['member', 403],
  ] as const)('answers the session of a person who is %s with %i', async (role, status) => {
    const { id } = await gateway.createOrganization()
    const { teamId } = await gateway.addTeam(id)
    const { userId } = await gateway.addMember(id, { role, teamId })
    const cookie = await gateway.signIn(userId)
    for (const path of ['', '/export']) expect((await read(path, cookie, id)).status).toBe(status)
  })

  it('shows nothing of other organizations', async () => {
    const { id } = await gateway.createOrganization()
    await append(gateway.pool, id, { details: { canary: 'canary-7f3a' } })
    for (const query of ['', '/export', '?action=org.', `?before=${'9'.repeat(17)}`]) {
      const { text } = await gateway.as(adminKey).get(`/api/orgs/${organizationId}/audit-log${query}`)
      expect(text).not.toContain('canary-7f3a')
    }
  })
})

function sequences(data: JsonObject[]): unknown[] {
  return data.map(({ sequence }) => sequence)
}
