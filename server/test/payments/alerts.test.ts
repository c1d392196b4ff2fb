import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { windowStart } from '#domain/limits/window.ts'
import { alertPart } from '#jobs/alerts/tell-alerts.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { createAlerts } from '#store/postgres/alerts/postgres-alerts.ts'
import { placeHolds } from '#store/postgres/money/holds.sql.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { settleEntry } from '#test/money/settles.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'

const hook = 'https://1.1.1.1/alerts'

describe('alerts of a wallet', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway.close())

  interface Account {
    readonly walletId: string
    readonly keyId: string
    readonly userId: string
    readonly session: { cookie: string }
  }
  const account = async (usd: string): Promise<Account> => {
    const { userId, walletId, keyId } = await gateway.createClient({ usd })
    return { userId, walletId, keyId, session: { cookie: await gateway.signIn(userId) } }
  }
  const pathOf = ({ walletId }: Pick<Account, 'walletId'>): string => `/api/wallets/${walletId}/alerts`
  const choose = ({ session, walletId }: Account, body: JsonObject) =>
    gateway.as(session).send('PUT', pathOf({ walletId }), body)
  const look = async (): Promise<void> => {
    const part = alertPart({
      alerts: createAlerts(gateway.pool),
      creditsUrl: 'https://weir.test/credits',
      everyMs: 1,
      log: { info: () => {} },
      nowMs: Date.now,
    })
    await part.run(new AbortController().signal)
  }
  /** Charges a request, counted in these windows. */
  const spend = async (
    payer: Pick<Account, 'userId' | 'walletId' | 'keyId'>,
    usd: string,
    windows: { kind: string; ownerId: string; startsAtMs: number }[] = [],
  ): Promise<void> => {
    const id = newUuid(Date.now())
    const amount = parseUsd(usd)
    const limited = windows.map((window) => ({ ...window, limit: parseUsd('1000') }))
    const { walletId, keyId } = payer
    await placeHolds(gateway.pool, [{ id, walletId, keyId, amount, windows: limited }], {
      leaseMs: 600_000,
      isRetry: false,
    })
    await settleGenerations(gateway.pool, [settleEntry({ ...payer, id }, amount, { windows: limited })])
  }
  const mailsTo = async (userId: string): Promise<string[]> => {
    const text = `SELECT split_part(body, chr(10), 1) AS words FROM mail_outbox WHERE user_id = $1 ORDER BY created_at, id`
    const { rows } = await gateway.pool.query<{ words: string }>(text, [userId])
    return rows.map(({ words }) => words)
  }
  const callsOf = async ({ walletId }: Pick<Account, 'walletId'>): Promise<unknown[]> => {
    const text = 'SELECT url, body::jsonb AS body FROM webhook_deliveries WHERE wallet_id = $1 ORDER BY created_at, id'
    return (await gateway.pool.query(text, [walletId])).rows
  }

  it('are none unless the owner has chosen some', async () => {
    const owner = await account('1')
    const { json } = await gateway.as(owner.session).send('GET', pathOf(owner))
    expect(json).toEqual({ data: { mail: false, webhook_url: null, balances: [], budget_percents: [] } })
    await look()
    expect(await mailsTo(owner.userId)).toEqual([])
  })

  it('tell of a low balance once for each crossing, by mail and webhook, and again after a top-up', async () => {
    const owner = await account('25')
    const chosen = { mail: true, webhook_url: hook, balances: [20, 5], budget_percents: [] }
    expect((await choose(owner, chosen)).json).toEqual({ data: chosen })
    await look()
    expect(await mailsTo(owner.userId)).toEqual([])
    await spend(owner, '12.6')
    await Promise.all([look(), look(), look()])
    expect(await mailsTo(owner.userId)).toEqual(['$12.40 left, below your alert threshold of $20.'])
    await spend(owner, '1')
    await look()
    expect(await mailsTo(owner.userId)).toHaveLength(1)
    await gateway.credit(owner.walletId, '10')
    await look()
    await spend(owner, '5')
    await look()
    expect(await mailsTo(owner.userId)).toEqual([
      '$12.40 left, below your alert threshold of $20.',
      '$16.40 left, below your alert threshold of $20.',
    ])
    expect(await callsOf(owner)).toMatchObject([
      {
        url: hook,
        body: {
          type: 'alert.balance_low',
          wallet_id: owner.walletId,
          message: '$12.40 left, below your alert threshold of $20.',
          data: { balance: 12.4, threshold: 20 },
        },
      },
      { body: { message: '$16.40 left, below your alert threshold of $20.' } },
    ])
  })

  it('tell of several thresholds that are crossed at once in one mail', async () => {
    const owner = await account('25')
    await choose(owner, { mail: true, balances: [20, 5] })
    await spend(owner, '24')
    await look()
    expect(await mailsTo(owner.userId)).toEqual(['$1 left, below your alert threshold of $5.'])
  })

  it('Q02: count the credit line of an organization among what is left', async () => {
    const { id, walletId } = await gateway.createOrganization({ usd: '3', creditLineUsd: '40' })
    const admin = await gateway.addMember(id, { role: 'org_admin' })
    const { keyId } = await gateway.addOrganizationKey(id)
    const session = { cookie: await gateway.signIn(admin.userId) }
    const payer = { userId: admin.userId, walletId, keyId, session }
    await gateway.as(session).send('PUT', `/api/wallets/${id}/alerts`, { mail: true, balances: [20] })
    await spend(payer, '13')
    await look()
    expect(await mailsTo(admin.userId)).toEqual([])
    await spend(payer, '13')
    await look()
    expect(await mailsTo(admin.userId)).toEqual(['$17 left, below your alert threshold of $20.'])
  })

  it('[NEXT-113] leave out what is in the balances of customers, as soon as it is moved there', async () => {
    const owner = await account('25')
    await choose(owner, { mail: true, balances: [20] })
    await look()
    await gateway.as(owner.session).post('/v1/customers', { id: 'acme' })
    await gateway.as(owner.session).post('/v1/customers/acme/transfers', { amount: 6, to: 'customer' })
    await look()
    expect(await mailsTo(owner.userId)).toEqual(['$19 left, below your alert threshold of $20.'])
  })

  it('Q03: tell nothing of the limit of a key that is revoked', async () => {
    const owner = await account('25')
    const [revoked, kept] = [await gateway.addKey(owner.userId), await gateway.addKey(owner.userId)]
    await gateway.pool.query(
      `UPDATE api_keys SET name = CASE WHEN id = $1 THEN 'gone' ELSE 'kept' END, spend_limit_nano = 10000000000,
         spend_limit_period = NULL WHERE id = ANY ($2)`,
      [revoked.keyId, [revoked.keyId, kept.keyId]],
    )
    await choose(owner, { mail: true, balances: [], budget_percents: [50] })
    for (const { keyId } of [revoked, kept]) {
      await spend({ ...owner, keyId }, '6', [{ kind: 'key_life', ownerId: keyId, startsAtMs: 0 }])
    }
    await gateway.pool.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [revoked.keyId])
    await look()
    expect(await mailsTo(owner.userId)).toEqual(['$4 of $10 left in the limit of the key kept.'])
  })

  it('look at no wallet that rests', async () => {
    const owner = await account('4')
    await choose(owner, { mail: true, balances: [5] })
    await look()
    expect(await createAlerts(gateway.pool).listMoved(1_000)).not.toContain(owner.walletId)
    await spend(owner, '1')
    expect(await createAlerts(gateway.pool).listMoved(1_000)).toContain(owner.walletId)
  })

  it('tell of budgets of an organization, its teams, members and keys, to administrators and billing viewers', async () => {
    const { id, slug, walletId } = await gateway.createOrganization({ usd: '1000' })
    const admin = await gateway.addMember(id, { role: 'org_admin' })
    const viewer = await gateway.addMember(id, { role: 'billing_viewer' })
    const member = await gateway.addMember(id, { role: 'member' })
    const { teamId } = await gateway.addTeam(id)
    const { keyId } = await gateway.addOrganizationKey(id)
    const payer = { userId: member.userId, walletId, keyId }
    await gateway.pool.query('UPDATE organizations SET monthly_budget_nano = 100000000000 WHERE id = $1', [id])
    await gateway.pool.query(`UPDATE teams SET monthly_budget_nano = 50000000000, name = 'Research' WHERE id = $1`, [
      teamId,
    ])
    await gateway.pool.query('UPDATE members SET monthly_budget_nano = 200000000000 WHERE id = $1', [member.memberId])
    await gateway.pool.query(
      `UPDATE api_keys SET name = 'ci', spend_limit_nano = 40000000000, spend_limit_period = NULL WHERE id = $1`,
      [keyId],
    )
    const session = { cookie: await gateway.signIn(admin.userId) }
    const put = await gateway.as(session).send('PUT', `/api/wallets/${id}/alerts`, {
      mail: true,
      webhook_url: hook,
      budget_percents: [75, 100],
    })
    expect(put.status).toBe(200)
    const startsAtMs = windowStart('month', Date.now())
    const windows = [
      { kind: 'organization_month', ownerId: id, startsAtMs },
      { kind: 'team_month', ownerId: teamId, startsAtMs },
      { kind: 'member_month', ownerId: member.memberId, startsAtMs },
      { kind: 'key_life', ownerId: keyId, startsAtMs: 0 },
    ]
    await spend(payer, '37.6', windows)
    await look()
    const first = [
      '$2.40 of $40 left in the limit of the key ci.',
      '$12.40 of $50 left in the monthly budget of the team Research.',
    ]
    expect(await mailsTo(admin.userId)).toEqual(first)
    expect(await mailsTo(viewer.userId)).toEqual(first)
    const page = `https://weir.test/o/${slug}/credits`
    const linked = `SELECT 1 FROM mail_outbox WHERE user_id = $1 AND strpos(body, $2) > 0`
    expect((await gateway.pool.query(linked, [viewer.userId, page])).rowCount).toBe(2)
    expect(await mailsTo(member.userId)).toEqual([])
    await spend(payer, '1', windows)
    await look()
    expect(await mailsTo(admin.userId)).toHaveLength(2)
    await spend(payer, '61.4', windows)
    await look()
    expect((await mailsTo(admin.userId)).slice(2).toSorted()).toEqual([
      expect.stringMatching(/^\$0 of \$100 left in the monthly budget of the organization /),
      '$0 of $40 left in the limit of the key ci.',
      '$0 of $50 left in the monthly budget of the team Research.',
    ])
    const [call] = await callsOf({ walletId })
    expect(call).toMatchObject({
      body: { type: 'alert.budget', data: { scope: 'key_life', percent: 75, limit: 40, spent: 37.6 } },
    })
    const list = await gateway.as(session).send('GET', `/v1/webhooks/deliveries?organization=${id}`)
    expect(list.json).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ video_id: null, url: hook })]),
    })
    const log = await gateway.as(session).send('GET', `/api/orgs/${id}/audit-log?action=alerts.`)
    expect(log.json).toMatchObject({ data: [{ action: 'alerts.update' }] })
  })

  it('are forgotten with their owner', async () => {
    const owner = await account('4')
    await choose(owner, { mail: true, webhook_url: hook, balances: [5] })
    const { rows } = await gateway.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
      owner.userId,
    ])
    const body = { email: rows[0]?.email ?? '' }
    expect((await gateway.as(owner.session).send('POST', '/api/account/delete', body)).status).toBe(204)
    await look()
    expect([await mailsTo(owner.userId), await callsOf(owner)]).toEqual([[], []])
    const left = await gateway.pool.query('SELECT 1 FROM wallet_alerts WHERE wallet_id = $1', [owner.walletId])
    expect(left.rowCount).toBe(0)
  })

  it('are chosen by the owner and administrators, and read by billing viewers', async () => {
    const { id } = await gateway.createOrganization({ usd: '0' })
    const statuses = async (role: 'org_admin' | 'billing_viewer' | 'member') => {
      const { userId } = await gateway.addMember(id, { role })
      const client = gateway.as({ cookie: await gateway.signIn(userId) })
      const path = `/api/wallets/${id}/alerts`
      return [(await client.send('GET', path)).status, (await client.send('PUT', path, { mail: true })).status]
    }
    expect(await statuses('org_admin')).toEqual([200, 200])
    expect(await statuses('billing_viewer')).toEqual([200, 403])
    expect(await statuses('member')).toEqual([403, 403])
  })

  it.each<[string, JsonObject]>([
    ['an address that is not public', { webhook_url: 'https://127.0.0.1/' }],
    ['an address without TLS', { webhook_url: 'http://1.1.1.1/' }],
    ['an address that is none', { webhook_url: 7 }],
    ['a balance that is none', { balances: ['5'] }],
    ['a balance below zero', { balances: [-1] }],
    ['balances that are no list', { balances: 5 }],
    ['a percentage above all', { budget_percents: [101] }],
    ['a part of a percent', { budget_percents: [0.5] }],
    ['a percentage that is none', { budget_percents: ['x'] }],
    ['too many', { balances: Array.from({ length: 11 }, (_, index) => index) }],
    ['mail that is no flag', { mail: 'yes' }],
  ])('refuse %s', async (_, body) => {
    const owner = await account('0')
    expect((await choose(owner, body)).status).toBe(400)
  })
})
