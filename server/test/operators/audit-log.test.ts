import { afterAll, beforeAll, describe, expect, it } from 'vitest'
// Not an expectation: it names the chain that entries are added to.
import { type Actor, type AuditEntry, platformChain } from '#domain/audit/audit-entry.ts'
import { newUuid } from '#lib/uuid.ts'
import { append } from '#test/audit/audit-world.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'

const ada: Actor = { kind: 'operator', id: null, name: 'ada@example.com' }
const robot: Actor = { kind: 'operator', id: newUuid(0), name: 'night robot' }
const clerk: Actor = { kind: 'operator', id: null, name: 'clerk' }
const unnamed: Actor = { kind: 'operator', id: null, name: null }
const member: Actor = { kind: 'user', id: newUuid(1), name: null }
const model = 'acme/one'

describe('GET /api/admin/audit-log', () => {
  let gateway: TestGateway
  let key: string
  let person: { id: string; email: string }
  let organization: { id: string; slug: string }
  let accountId: string

  beforeAll(async () => {
    gateway = await startTestGateway()
    key = (await gateway.addOperatorKey({ role: 'read_only' })).key
    person = await newPerson()
    organization = await gateway.createOrganization()
    await gateway.addProvider({ vendor: 'openai', name: 'audited', url: 'http://127.0.0.1:9/v1' })
    const { rows } = await gateway.pool.query<{ id: string }>("SELECT id FROM provider_accounts WHERE name = 'audited'")
    accountId = rows[0]?.id ?? ''
    await changeEverything()
  })
  afterAll(() => gateway.close())

  async function newPerson(): Promise<{ id: string; email: string }> {
    const { userId: id } = await gateway.createClient({ usd: '0' })
    const { rows } = await gateway.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [id])
    return { id, email: rows[0]?.email ?? '' }
  }

  /** One entry of each kind that the tests tell apart, in this order, and one of an organization's own log. */
  async function changeEverything(): Promise<void> {
    const plain = { requestId: null, before: null, after: null } as const
    const entries: readonly Partial<AuditEntry>[] = [
      { actor: ada, action: 'catalogue.import', target: null, details: { models: [model, 'acme/two'] } },
      { actor: robot, action: 'catalogue.undo', target: null, details: { models: ['acme/two'] } },
      { actor: ada, action: 'user.suspend', target: { kind: 'user', id: person.id } },
      { actor: unnamed, action: 'user.credit', target: { kind: 'organization', id: organization.id } },
      {
        actor: { kind: 'operator', id: person.id, name: null },
        action: 'provider.update',
        target: { kind: 'provider_account', id: accountId },
        before: { weight: 1 },
        after: { weight: 3 },
      },
    ]
    for (const entry of entries) await append(gateway.pool, platformChain, { ...plain, ...entry })
    await append(gateway.pool, organization.id, { ...plain, actor: member, action: 'catalogue.import' })
  }

  async function read(query: string) {
    const { status, json, text, list } = await gateway.as(key).get(`/api/admin/audit-log${query}`)
    expect(status, text).toBe(200)
    return { data: list, next: json['next_cursor'] }
  }

  const actionsOf = async (query: string) => (await read(query)).data.map(({ action }) => action)

  it('returns who changed what, newest first, with the values before and after', async () => {
    const { data } = await read('?limit=2')
    expect(data).toMatchObject([
      {
        action: 'provider.update',
        actor: { kind: 'operator', id: person.id, name: person.email },
        target: { kind: 'provider_account', id: accountId },
        before: { weight: 1 },
        after: { weight: 3 },
      },
      { action: 'user.credit', actor: { kind: 'operator', id: null, name: null } },
    ])
  })

  it('has pages, of which none repeats an entry', async () => {
    const first = await read('?limit=2')
    const second = await read(`?limit=2&before=${String(first.next)}`)
    expect(second.data.map(({ action }) => action)).toEqual(['user.suspend', 'catalogue.undo'])
    expect((await read('?limit=200')).next).toBeNull()
  })

  it.each([
    ['by the name of an operator', 'ADA@example.com', ['user.suspend', 'catalogue.import']],
    ['by the ID of a key', String(robot.id), ['catalogue.undo']],
    ['by the name of a key', 'night%20robot', ['catalogue.undo']],
    ['of nobody', 'nobody', []],
  ])('lists changes %s', async (_what, actor, expected) => {
    expect(await actionsOf(`?actor=${actor}`)).toEqual(expected)
  })

  it('lists changes by the email address of a person', async () => {
    expect(await actionsOf(`?actor=${encodeURIComponent(person.email)}`)).toEqual(['provider.update'])
  })

  it('lists changes of an action, and of a prefix', async () => {
    expect(await actionsOf('?action=catalogue.import')).toEqual(['catalogue.import'])
    expect(await actionsOf('?action=catalogue.')).toEqual(['catalogue.undo', 'catalogue.import'])
  })

  it('lists changes of a model, user, organization and provider account', async () => {
    expect(await actionsOf(`?target=${encodeURIComponent(model)}`)).toEqual(['catalogue.import'])
    expect(await actionsOf(`?target=${person.id}`)).toEqual(['user.suspend'])
    expect(await actionsOf(`?target=${encodeURIComponent(person.email.toUpperCase())}`)).toEqual(['user.suspend'])
    expect(await actionsOf(`?target=${organization.slug}`)).toEqual(['user.credit'])
    expect(await actionsOf('?target=audited')).toEqual(expect.arrayContaining(['provider.update']))
    expect(await actionsOf('?target=nothing')).toEqual([])
  })

  it('names the customer and the changed object, and lists what operators changed in an organization', async () => {
    const inside = await gateway.createOrganization({ name: 'Named Newts' })
    const customer = { kind: 'organization', id: inside.id, name: 'Named Newts' }
    const { keyId } = await gateway.addOrganizationKey(inside.id, { terms: { name: 'production' } })
    const { memberId, email } = await gateway.addMember(inside.id)
    const targets = [
      { kind: 'wallet', id: inside.walletId },
      { kind: 'key', id: keyId },
      { kind: 'member', id: memberId },
      { kind: 'team', id: newUuid(2) },
    ]
    for (const target of targets) await append(gateway.pool, inside.id, { actor: clerk, action: 'org.credit', target })
    await append(gateway.pool, platformChain, { actor: clerk, target: { kind: 'model', id: 'acme/one' } })
    const { data } = await read('?limit=5')
    expect(data.map((entry) => [entry['targetName'], entry['customer']])).toEqual([
      [null, null],
      // A team that is gone has no name, but its organization is known.
      [null, customer],
      [email, customer],
      ['production', customer],
      [null, customer],
    ])
    for (const target of [inside.id, inside.slug]) {
      expect(await actionsOf(`?target=${target}`)).toEqual(Array.from({ length: 4 }, () => 'org.credit'))
    }
    await append(gateway.pool, platformChain, {
      actor: clerk,
      action: 'wallet.write_off',
      target: { kind: 'wallet', id: inside.walletId },
    })
    expect((await actionsOf(`?target=${inside.slug}`))[0]).toBe('wallet.write_off')
  })

  it('lists changes from a time on, and before a time', async () => {
    const [suspended] = (await read('?action=user.suspend')).data
    const at = encodeURIComponent(new Date(Date.parse(String(suspended?.['at']))).toISOString())
    expect((await actionsOf(`?from=${at}&limit=200`)).at(-1)).toBe('user.suspend')
    expect((await actionsOf(`?to=${at}`))[0]).toBe('catalogue.undo')
  })

  it.each(['action=A%20b', 'from=yesterday', 'limit=201', 'before=x'])('rejects %s', async (query) => {
    expect((await gateway.as(key).get(`/api/admin/audit-log?${query}`)).status).toBe(400)
  })

  it('exports what matches as CSV or NDJSON', async () => {
    const csv = await gateway.as(key).get('/api/admin/audit-log/export?format=csv&actor=night%20robot')
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.headers.get('content-disposition')).toMatch(/filename="platform-audit-log-[\d-]{10}\.csv"/)
    const [heading, row, ...rest] = csv.text.trimEnd().split('\r\n')
    expect(heading).toContain('sequence,id,at,actor_kind,actor_id,actor_name,action')
    expect(row).toContain(`operator,${String(robot.id)},night robot,catalogue.undo`)
    expect(rest).toEqual([])
    const lines = await gateway.as(key).get('/api/admin/audit-log/export?action=catalogue.')
    const actions = lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).action)
    expect(actions).toEqual(['catalogue.undo', 'catalogue.import'])
  })
})
