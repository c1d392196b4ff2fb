import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadEveryCommand } from '#bin/commands/command-table.ts'
import { runCommandLine } from '#bin/command-line/run-command-line.ts'
import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import type { Client } from '#test/setup/client.ts'
import { startTestGateway, testSecret, type TestGateway } from '#test/setup/gateway.ts'
import { testRedisUrl } from '#test/setup/redis.ts'
import type { TestOrganization } from '#test/setup/organizations.ts'

const shellName = 'wanda.of.the.shell@example.com'
const keyName = 'night robot of operations'
const platform = '00000000-0000-0000-0000-000000000000'

/** Every command that leaves entries in the log of an organization. Names of things stand for what a test makes. */
const changingCommands: readonly string[] = [
  'org create Fresh --admin {user} --slug fresh-organization',
  'org apply {file} --yes',
  'org suspend {org}',
  'org unsuspend {org}',
  'org billing {org} monthly --credit-line 5',
  'org seats {org} 7',
  'org member add {org} {user}',
  'org member remove {org} {user}',
  'wallet credit {org} 5 --grant --note thanks',
  'key disable {key}',
  'key enable {key}',
  'key cidrs {key} 192.0.2.1',
  'key revoke {key}',
]

/** All others: of the platform, of single people, or read-only. */
const otherCommands = [
  /^(?:gateway|worker|dev|migrate|status|doctor|earnings|request|requests)$/,
  /^(?:config|catalogue|provider|route|auto|free|secrets|customer|operator|brake|month|audit|evidence) /,
  /^(?:webhooks|mail|events) /,
  // Keys of commands belong to people, and campaigns to the platform.
  /^(?:user (?:breaker|create|password|suspend|unsuspend|verify)|key (?:create|list)|wallet campaign .*)$/,
  /^(?:org list|org show|org member list|wallet show|wallet statement)$/,
]

interface Change {
  readonly method: 'POST'
  readonly path: string
  readonly body?: JsonObject
}

/** Every operation of operators that leaves entries in the log of an organization. */
const changingOperations: readonly Change[] = [
  { method: 'POST', path: '/api/admin/organizations/{organizationRef}/suspend' },
  { method: 'POST', path: '/api/admin/organizations/{organizationRef}/unsuspend' },
  { method: 'POST', path: '/api/admin/wallets/{walletRef}/credit', body: { amountUsd: 3, source: 'grant' } },
  { method: 'POST', path: '/api/admin/wallets/{walletRef}/transfers', body: { amountUsd: 4, reference: 'bank' } },
]

/** All others: what they change belongs to the platform, to single people, or to the operators' side of a customer. */
const otherOperations = [
  /^\/api\/admin\/(?:providers|routes|catalogue|evidence|brake|users|redemption-campaigns|accounting|operators|operator-keys|jobs)(?:\/|$)/,
  /^\/api\/admin\/customers\/\{customerRef\}\/notes/,
  /^\/api\/admin\/wallets\/\{walletRef\}\/write-off$/,
  /^\/api\/admin\/top-ups\/\{topUpId\}\/refund$/,
]

describe('an organization never sees the name of an operator', () => {
  let gateway: TestGateway
  let organization: TestOrganization
  let folder: string
  let tenant: Client
  let person: { id: string; email: string }

  beforeAll(async () => {
    gateway = await startTestGateway()
    organization = await gateway.createOrganization()
    folder = await mkdtemp(join(tmpdir(), 'weir-names-'))
    const admin = await gateway.addMember(organization.id, { role: 'org_admin' })
    tenant = gateway.as(await gateway.signIn(admin.userId))
    const { userId: id } = await gateway.createClient()
    person = { id, email: await emailOf(id) }
    Object.assign(process.env, {
      WEIR_SECRET: testSecret,
      WEIR_POSTGRES_URL: gateway.databaseUrl,
      WEIR_REDIS_URL: testRedisUrl(),
    })
  })
  afterAll(async () => {
    delete process.env['WEIR_OPERATOR']
    await rm(folder, { recursive: true })
    await gateway.close()
  })

  it('knows of every command whether it leaves entries in the log of an organization', async () => {
    const words = (await loadEveryCommand()).map((command) => command.words)
    const changing = words.filter((name) => changingCommands.some((line) => line.startsWith(`${name} `)))
    expect(changing).toHaveLength(changingCommands.length)
    const unknown = words.filter((name) => !changing.includes(name) && !otherCommands.some((form) => form.test(name)))
    expect(unknown).toEqual([])
  })

  it('knows the same of every operation of operators that changes something', async () => {
    const paths = objectAt((await tenant.get('/openapi.json')).json, 'paths')
    const changes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(isJsonObject(methods) ? methods : {})
        .filter((method) => method !== 'get' && path.startsWith('/api/admin/'))
        .map(() => path),
    )
    const unknown = changes.filter(
      (path) =>
        !changingOperations.some((known) => known.path === path) && !otherOperations.some((form) => form.test(path)),
    )
    expect([changes.length > 20, unknown]).toEqual([true, []])
  })

  it.each(changingCommands)('weir %s', async (form) => {
    process.env['WEIR_OPERATOR'] = shellName
    const left = await entriesLeftBy(async () => runOk(await fillIn(form)))
    expectHidden(left, { id: null, name: shellName })
  })

  it('not even that of the user of the operating system', async () => {
    delete process.env['WEIR_OPERATOR']
    const left = await entriesLeftBy(() => runOk(`org seats ${organization.slug} 9`))
    expectHidden(left, { id: null, name: userInfo().username })
  })

  it.each(changingOperations)('$method $path with an operator key', async (change) => {
    const { keyId, key } = await gateway.addOperatorKey({ name: keyName })
    expectHidden(await entriesLeftBy(() => send(gateway.as(key), change)), { id: keyId, name: keyName })
  })

  it.each(changingOperations)('$method $path in a session', async (change) => {
    const { userId } = await gateway.createClient()
    await gateway.addOperator(userId, 'owner')
    const session = gateway.as(await gateway.signIn(userId, { secondFactor: true }))
    const left = await entriesLeftBy(() => send(session, change))
    expectHidden(left, { id: userId, name: null })
    const { list } = await session.get('/api/admin/audit-log?limit=1')
    expect(list[0]?.['actor']).toEqual({ kind: 'operator', id: userId, name: await emailOf(userId) })
  })

  it('in any of its other views either', async () => {
    const paths = objectAt((await tenant.get('/openapi.json')).json, 'paths')
    const { rows } = await gateway.pool.query<{ email: string }>(
      'SELECT u.email FROM operators o JOIN users u ON u.id = o.user_id',
    )
    const names = [shellName, keyName, ...rows.map(({ email }) => email)]
    const seen: string[] = []
    for (const path of Object.keys(paths).filter(isView)) {
      const { status, text } = await tenant.get(
        path.replace('{orgId}', organization.id).replace('{walletId}', organization.walletId),
      )
      if (status !== 200) continue
      seen.push(path)
      expect([path, names.filter((name) => text.includes(name))]).toEqual([path, []])
    }
    expect(seen).toEqual(
      expect.arrayContaining([
        '/api/orgs/{orgId}/audit-log',
        '/api/orgs/{orgId}/audit-log/chain',
        '/api/orgs/{orgId}/audit-log/export',
        '/v1/orgs/{orgId}/keys',
        '/v1/orgs/{orgId}/members',
        '/api/wallets/{walletId}',
        '/api/wallets/{walletId}/transactions',
        '/api/wallets/{walletId}/statement',
        '/api/wallets/{walletId}/top-ups',
        '/api/wallets/{walletId}/invoices',
        '/v1/generations',
      ]),
    )
  })

  async function emailOf(userId: string): Promise<string> {
    const { rows } = await gateway.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId])
    return rows[0]?.email ?? ''
  }

  let keyId = ''
  async function fillIn(form: string): Promise<string> {
    if (keyId === '' && form.includes('{key}')) keyId = (await gateway.addOrganizationKey(organization.id)).keyId
    const file = join(folder, 'organizations.yaml')
    const team = { name: 'Physics', monthlyBudget: 300, allowedModels: ['openai/*'] }
    const contentFilters = [
      { name: 'Card numbers', action: 'redact', matcher: { kind: 'template', template: 'credit_card' } },
    ]
    const wanted = { slug: organization.slug, weeklyBudget: 500, teams: [team], contentFilters }
    await writeFile(file, JSON.stringify({ organizations: [wanted] }))
    return form
      .replace('{org}', organization.slug)
      .replace('{key}', keyId)
      .replace('{user}', person.email)
      .replace('{file}', file)
  }

  async function send(client: Client, { path, body }: Change): Promise<void> {
    const place = path.replace('{organizationRef}', organization.slug).replace('{walletRef}', organization.walletId)
    // A bank transfer is booked once for each reference.
    const once = body !== undefined && 'reference' in body ? { ...body, reference: `bank-${operationNumber++}` } : body
    const { status, text } = await client.post(place, once)
    expect(status, text).toBe(200)
  }
  let operationNumber = 1

  interface Entry {
    chain_id: string
    actor: { kind: string; id: string | null; name: string | null }
    action: string
    details: JsonObject | null
    whole: string
  }

  /** The entries that a change leaves, in all logs. */
  async function entriesLeftBy(change: () => Promise<void>): Promise<Entry[]> {
    const { rows: known } = await gateway.pool.query<{ id: string }>('SELECT id FROM audit_entries')
    await change()
    const { rows } = await gateway.pool.query<Entry>(
      `SELECT chain_id, jsonb_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name) AS actor, action, details,
         to_jsonb(e)::text AS whole
       FROM audit_entries e WHERE NOT id = ANY ($1) ORDER BY chain_id, sequence`,
      [known.map(({ id }) => id)],
    )
    return rows
  }

  function expectHidden(left: readonly Entry[], actor: { id: string | null; name: string | null }): void {
    const inside = left.filter(({ chain_id }) => chain_id !== platform)
    const outside = left.filter(({ chain_id }) => chain_id === platform)
    // What the gateway itself adds, such as the booking of a transfer, has no operator.
    const own = inside.filter((entry) => entry.actor.kind !== 'system')
    expect(own.length).toBeGreaterThan(0)
    for (const entry of own) expect(entry.actor).toEqual({ kind: 'operator', id: null, name: null })
    const words = [actor.id, actor.name].filter((word) => word !== null)
    for (const { whole } of inside) expect(words.filter((word) => JSON.stringify(whole).includes(word))).toEqual([])
    expect(outside.map((entry) => [entry.action, entry.details?.['organizationId'], entry.actor])).toEqual(
      own.map(({ action, chain_id }) => [action, chain_id, { kind: 'operator', ...actor }]),
    )
  }
})

/** What a tenant can read without naming a single object. A stream of events does not end. */
function isView(path: string): boolean {
  const plain = path.replace('{orgId}', '').replace('{walletId}', '')
  return !plain.includes('{') && !path.startsWith('/api/admin/') && !path.endsWith('/events')
}

async function runOk(line: string): Promise<void> {
  let error = ''
  const code = await runCommandLine(line.split(' '), {
    out: () => {},
    error: (text) => void (error += `${text}\n`),
    readInput: async () => '',
  })
  expect([code, error]).toEqual([0, ''])
}
