import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#domain/access/roles.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { type Payer, settleEntry } from '#test/money/settles.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'

describe('GET /v1/generations', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({ WEIR_LIMITS_ACCOUNT: '1000000' })
  })
  afterAll(() => gateway.close())

  async function get(key: string, query: Record<string, string> = {}) {
    const { status, json } = await gateway.as(key).get(`/v1/generations?${new URLSearchParams(query).toString()}`)
    return { status, body: json }
  }

  async function listed(key: string, query: Record<string, string> = {}): Promise<JsonObject[]> {
    const { data } = (await get(key, query)).body
    return Array.isArray(data) ? data.filter(isJsonObject) : []
  }

  const idsOf = async (key: string, query: Record<string, string> = {}): Promise<unknown[]> =>
    (await listed(key, query)).map(({ id }) => id)

  async function settle(who: Omit<Payer, 'id'>, change: object = {}): Promise<string> {
    const id = newUuid(Date.now())
    const { record } = settleEntry({ id, ...who }, parseUsd('0.25'))
    await settleGenerations(gateway.pool, [{ record: { ...record, ...change }, windows: [] }])
    return publicGenerationId(id)
  }

  it('[GEN-01] [GEN-05] shows each finished request in short, as its record does', async () => {
    const caller = await gateway.createClient()
    const id = await settle(caller, { appName: 'Notebook', firstTokenMs: 12, durationMs: 90, streamed: true })
    const [entry] = await listed(caller.key)
    const { data } = await gateway.as(caller).get(`/v1/generation?id=${id}`)
    const { usage, api_key_id: keyId, endpoint, attempt_count: attemptCount, ...shared } = entry ?? {}
    expect(data).toMatchObject(shared)
    expect(data.usage).toMatchObject(isJsonObject(usage) ? usage : {})
    expect({ keyId, endpoint, attemptCount }).toEqual({ keyId: caller.keyId, endpoint: 'chat', attemptCount: 0 })
    expect(Object.keys(entry ?? {})).not.toContain('receipt')
  })

  it('answers pages from the newest on, and the last without a cursor', async () => {
    const caller = await gateway.createClient()
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) ids.push(await settle(caller))
    const expected = ids.toSorted().toReversed()
    const first = await get(caller.key, { limit: '3' })
    expect(first.body).toMatchObject({ data: expected.slice(0, 3).map((id) => ({ id })), next_cursor: expected[2] })
    const last = await get(caller.key, { limit: '3', before: String(first.body.next_cursor) })
    expect(last.body).toMatchObject({ data: expected.slice(3).map((id) => ({ id })), next_cursor: null })
    const legacy = await gateway.as(caller).get('/api/v1/generations')
    expect(legacy.status).toBe(200)
  })

  it('shows nothing of another account, whatever cursor or key is named, and no cursor tells whether it exists', async () => {
    const [caller, stranger] = [await gateway.createClient(), await gateway.createClient()]
    const own = await settle(stranger)
    const foreign = await settle(caller)
    const never = publicGenerationId(newUuid(Date.now()))
    expect(await idsOf(stranger.key, { before: foreign })).toEqual([own])
    expect(await idsOf(stranger.key, { before: never })).toEqual([own])
    expect(await idsOf(stranger.key, { api_key_id: caller.keyId })).toEqual([])
  })

  it.each([
    { limit: '0' },
    { limit: '101' },
    { limit: 'many' },
    { before: 'gen-1' },
    { status: 'lost' },
    { api_key_id: 'mine' },
    { from: 'yesterday' },
    { to: '2026-02-30' },
    { model: '\0' },
  ])('answers 400 for %o', async (query) => {
    const caller = await gateway.createClient()
    expect((await get(caller.key, query)).status).toBe(400)
  })

  /** An organization with a member of each role and two keys without a member, each with a request. */
  async function startOrganization() {
    const { id: organizationId, walletId } = await gateway.createOrganization()
    const { teamId } = await gateway.addTeam(organizationId)
    const payer = { organizationId, walletId }
    const keyOf = (memberId: string | undefined, type: 'standard' | 'management') =>
      gateway.addOrganizationKey(organizationId, { ...(memberId === undefined ? {} : { memberId }), terms: { type } })
    const join = async (role: Role) => {
      const isOfTeam = role === 'team_admin' || role === 'member'
      const place = isOfTeam ? { role, teamId } : { role }
      const { memberId, userId } = await gateway.addMember(organizationId, place)
      const [standard, management] = [await keyOf(memberId, 'standard'), await keyOf(memberId, 'management')]
      const request = await settle({ ...payer, memberId, userId, keyId: standard.keyId })
      return { standard: standard.key, management: management.key, request, userId, keyId: standard.keyId }
    }
    const admin = await join('org_admin')
    const viewer = await join('billing_viewer')
    const lead = await join('team_admin')
    const member = await join('member')
    const [shared, other] = [await keyOf(undefined, 'standard'), await keyOf(undefined, 'standard')]
    const ofShared = await settle({ ...payer, userId: null, keyId: shared.keyId })
    const ofOther = await settle({ ...payer, userId: null, keyId: other.keyId })
    // A request of the same person, paid by another wallet.
    await settle({ walletId: newUuid(0), keyId: newUuid(0), userId: member.userId })
    return { walletId, admin, viewer, lead, member, shared, other, ofShared, ofOther }
  }

  it('shows the requests of an organization to administrators alone, and to others their own', async () => {
    const { admin, viewer, lead, member, shared, other, ofShared, ofOther } = await startOrganization()
    const all = [admin, viewer, lead, member].map(({ request }) => request)
    expect(await idsOf(admin.management)).toEqual([...all, ofShared, ofOther].toSorted().toReversed())
    for (const { standard, management, request } of [viewer, lead, member]) {
      expect(await idsOf(standard)).toEqual([request])
      expect(await idsOf(management)).toEqual([request])
    }
    expect(await idsOf(admin.standard)).toEqual([admin.request])
    expect(await idsOf(shared.key)).toEqual([ofShared])
    expect(await idsOf(shared.key, { api_key_id: other.keyId })).toEqual([])
  })

  it('[B14] [GEN-03] shows a receipt to exactly those keys that list its request, and 404 alike to all others', async () => {
    const { admin, viewer, lead, member, shared, other, ofShared, ofOther } = await startOrganization()
    const people = [admin, viewer, lead, member]
    const keys = [...people.flatMap(({ standard, management }) => [standard, management]), shared.key, other.key]
    const requests = [...people.map(({ request }) => request), ofShared, ofOther]
    const never = await receipt(shared.key, publicGenerationId(newUuid(Date.now())))
    expect(never.status).toBe(404)
    for (const key of keys) {
      const own = await idsOf(key)
      for (const id of requests) {
        const { status, text } = await receipt(key, id)
        if (own.includes(id)) expect([status, text.includes(id)]).toEqual([200, true])
        else expect({ status, text }).toEqual(never)
      }
    }
  })

  it('[B14] shows a request whose gateway died to its own member, or its own key, and to administrators', async () => {
    const { walletId, admin, lead, member, shared, other } = await startOrganization()
    const ofMember = await lapse(walletId, member.keyId)
    const ofKey = await lapse(walletId, shared.keyId)
    expect(await statuses(ofMember, member.standard, member.management, admin.management)).toEqual([200, 200, 200])
    expect(await statuses(ofMember, admin.standard, lead.management, shared.key)).toEqual([404, 404, 404])
    expect(await statuses(ofKey, shared.key, admin.management)).toEqual([200, 200])
    expect(await statuses(ofKey, other.key, member.standard, admin.standard)).toEqual([404, 404, 404])
  })

  async function statuses(id: string, ...keys: string[]): Promise<number[]> {
    const replies = await Promise.all(keys.map((key) => receipt(key, id)))
    return replies.map(({ status }) => status)
  }

  async function receipt(key: string, id: string): Promise<{ status: number; text: string }> {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${gateway.url}/v1/generation?id=${id}`, { headers })
    return { status: response.status, text: await response.text() }
  }

  /** Creates a hold that is not settled. */
  async function lapse(walletId: string, keyId: string): Promise<string> {
    const id = newUuid(Date.now())
    await gateway.pool.query(
      'INSERT INTO lapsed_holds (id, wallet_id, key_id, amount_nano) VALUES ($1, $2, $3, 1000)',
      [id, walletId, keyId],
    )
    return publicGenerationId(id)
  }
})
