import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { type Client, createClient } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import type { Reply } from '#test/setup/reply.ts'

const environment = {
  WEIR_HTTP_PUBLIC_URL: ownOrigin,
  WEIR_LIMITS_ACCOUNT: '1000000',
  WEIR_LIMITS_SIGN_IN_FAILURES: '100000',
}

describe('redeeming a code', () => {
  let gateway: TestGateway
  let others: { url: string; close(): Promise<void> }[]
  let operator: Client
  beforeAll(async () => {
    gateway = await startTestGateway(environment)
    others = [await startSecondGateway(gateway, environment), await startSecondGateway(gateway, environment)]
    operator = gateway.as(await gateway.addOperatorKey())
  })
  afterAll(async () => {
    for (const other of others) await other.close()
    await gateway.close()
  })

  let campaigns = 0
  beforeEach(() => {
    campaigns += 1
  })

  async function makeCodes(terms: JsonObject = {}): Promise<string[]> {
    const body = { name: `campaign ${campaigns}`, amountUsd: 5, codes: 1, ...terms }
    const made = await operator.post('/api/admin/redemption-campaigns', body)
    expect(made.status, made.text).toBe(201)
    const lines = made.text.trim().split('\r\n').slice(1)
    return lines.map((line) => line.split(',')[0] ?? '')
  }
  const makeCode = async (terms: JsonObject = {}): Promise<string> => (await makeCodes(terms))[0] ?? ''

  async function newPerson() {
    const { userId, walletId } = await gateway.createClient({ usd: '0' })
    const cookie = await gateway.signIn(userId)
    const redeem = (code: string, { wallet = walletId, url = gateway.url } = {}): Promise<Reply> =>
      createClient(url, { cookie }).post(`/api/wallets/${wallet}/redemptions`, { code })
    return { userId, walletId, cookie, redeem }
  }

  const balanceOf = async (walletId: string): Promise<string> => (await gateway.walletOf(walletId)).balance
  const audit = () => auditLedger(gateway.pool, { overdueMs: 60_000 })
  const campaignOf = async (): Promise<JsonObject> => {
    const { list } = await operator.get('/api/admin/redemption-campaigns?limit=1')
    return list[0] ?? {}
  }

  it('C11: counts a person who deleted the account and signed up with the same address again', async () => {
    const codes = await makeCodes({ codes: 3 })
    const [first = '', second = '', third = ''] = codes
    const person = await newPerson()
    expect((await person.redeem(first)).status).toBe(201)
    const { rows } = await gateway.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
      person.userId,
    ])
    const email = rows[0]?.email ?? ''
    const deleted = await gateway.as({ cookie: person.cookie }).post('/api/account/delete', { email })
    expect(deleted.status, deleted.text).toBe(204)
    const again = await newPerson()
    await gateway.pool.query('UPDATE users SET email = $2 WHERE id = $1', [again.userId, email.toUpperCase()])
    expect((await again.redeem(second)).json).toMatchObject({ error: { code: 'code_not_redeemable' } })
    expect((await (await newPerson()).redeem(third)).status).toBe(201)
  })

  it('C11: wants a proven address where mail can be sent, unless a person may redeem without limit', async () => {
    const mail = {
      WEIR_MAIL_URL: 'smtp://127.0.0.1:1',
      WEIR_MAIL_FROM: 'weir@example.com',
      WEIR_HTTP_PUBLIC_URL: gateway.url,
    }
    const { url, close } = await startSecondGateway(gateway, mail)
    try {
      const [limited, unlimited] = [await makeCode(), await makeCode({ perPersonMax: null })]
      const person = await newPerson()
      const prove = (isProven: boolean) =>
        gateway.pool.query('UPDATE users SET email_verified = $2 WHERE id = $1', [person.userId, isProven])
      await prove(false)
      const headers = { origin: gateway.url }
      const redeem = (code: string): Promise<Reply> =>
        createClient(url, person).post(`/api/wallets/${person.walletId}/redemptions`, { code }, { headers })
      const refused = await redeem(limited)
      expect(refused.json).toMatchObject({
        error: { code: 'code_not_redeemable', message: expect.stringContaining('Confirm') },
      })
      expect((await redeem(unlimited)).status).toBe(201)
      await prove(true)
      expect((await redeem(limited)).status).toBe(201)
    } finally {
      await close()
    }
  })

  it('P14 credits the wallet once, with the id of the redemption, and tells the log', async () => {
    const code = await makeCode({ amountUsd: 12.345678901 })
    const person = await newPerson()
    const { status, data } = await person.redeem(` ${code.toLowerCase()} `)
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.any(String),
      wallet_id: person.walletId,
      amount: 12.345678901,
      balance: 12.345678901,
      expires_at: null,
    })
    const client = gateway.as({ cookie: person.cookie })
    const { list } = await client.get(`/api/wallets/${person.walletId}/transactions`)
    expect(list).toMatchObject([
      { id: data.id, kind: 'redemption', debit: 'grants', credit: 'wallet', amount: 12.345678901 },
    ])
    expect((await client.get(`/api/wallets/${person.walletId}`)).data).toMatchObject({
      balance: 12.345678901,
      redeemed: 12.345678901,
      granted: 0,
    })
    const { rows } = await gateway.pool.query(
      `SELECT chain_id, actor_kind, actor_id, target_id, details FROM audit_entries WHERE action = 'wallet.redeem' AND target_id = $1`,
      [person.walletId],
    )
    const { id: campaignId } = await campaignOf()
    expect(rows).toEqual([
      {
        chain_id: '00000000-0000-0000-0000-000000000000',
        actor_kind: 'user',
        actor_id: person.userId,
        target_id: person.walletId,
        details: { transactionId: data.id, campaignId, amount: 12.345678901 },
      },
    ])
  })

  it('P14 two hundred at once over three gateways make one credit of a code with one use', async () => {
    const code = await makeCode({ perPersonMax: null, perWalletMax: null })
    const people = await Promise.all(Array.from({ length: 10 }, newPerson))
    const urls = [gateway.url, ...others.map(({ url }) => url)]
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const person = people[index % people.length]
        if (person === undefined) throw new Error('no person')
        return person.redeem(code, { url: urls[index % urls.length] ?? '' })
      }),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(199)
    const balances = await Promise.all(people.map(({ walletId }) => balanceOf(walletId)))
    expect(balances.toSorted()).toEqual([...Array.from({ length: 9 }, () => '0'), '5'])
    expect(await campaignOf()).toMatchObject({ redemptions: 1, redemptionsMax: 1 })
    expect(await audit()).toEqual([])
  })

  async function newAdmins(organizationId: string) {
    return Promise.all(
      Array.from({ length: 3 }, async () => {
        const person = await newPerson()
        await gateway.pool.query(
          `INSERT INTO members (id, organization_id, user_id, role) VALUES (gen_random_uuid(), $1, $2, 'org_admin')`,
          [organizationId, person.userId],
        )
        return person
      }),
    )
  }

  it('P14 the limits for a person and for a wallet hold when all come at once', async () => {
    const { id: organizationId, walletId } = await gateway.createOrganization({ usd: '0' })
    const admins = await newAdmins(organizationId)
    const redeemAll = async (terms: JsonObject) => {
      const codes = await makeCodes({ codes: 12, ...terms })
      const replies = await Promise.all(
        codes.map(async (code, index) => {
          const admin = admins[index % admins.length]
          return { admin, reply: await admin?.redeem(code, { wallet: walletId }) }
        }),
      )
      const redeemed = replies.filter(({ reply }) => reply?.status === 201)
      // Rejected requests have left the code unused.
      const { rows } = await gateway.pool.query<{ used: number }>(
        'SELECT count(*)::integer AS used FROM redemption_codes WHERE campaign_id = $1 AND uses_left = 0',
        [(await campaignOf()).id],
      )
      expect(rows[0]?.used).toBe(redeemed.length)
      return admins.map((each) => redeemed.filter(({ admin }) => admin === each).length)
    }
    expect(await redeemAll({ perPersonMax: 2, perWalletMax: null })).toEqual([2, 2, 2])
    const byWallet = await redeemAll({ perPersonMax: null, perWalletMax: 5 })
    expect(byWallet.reduce((sum, count) => sum + count, 0)).toBe(5)
    expect(await balanceOf(walletId)).toBe('55')
    expect(await audit()).toEqual([])
  })

  it('P14 is limited in all by the campaign, however many uses its codes have', async () => {
    const code = await makeCode({ usesPerCode: 50, redemptionsMax: 4 })
    const people = await Promise.all(Array.from({ length: 12 }, newPerson))
    const replies = await Promise.all(people.map(({ redeem }) => redeem(code)))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(4)
    expect(await campaignOf()).toMatchObject({ redemptions: 4, redemptionsMax: 4 })
  })

  it('P14 answers a wrong, a spent, an ended, a switched-off and an own spent code alike', async () => {
    const person = await newPerson()
    const stranger = await newPerson()
    const spent = await makeCode()
    expect((await stranger.redeem(spent)).status).toBe(201)
    const [once = '', again = ''] = await makeCodes({ codes: 2 })
    expect((await person.redeem(once)).status).toBe(201)
    const ended = await makeCode({ endsAt: new Date(Date.now() + 3_600_000).toISOString() })
    await gateway.pool.query(`UPDATE redemption_campaigns SET ends_at = now() WHERE id = $1`, [(await campaignOf()).id])
    const off = await makeCode()
    const { id } = await campaignOf()
    expect((await operator.patch(`/api/admin/redemption-campaigns/${String(id)}`, { enabled: false })).status).toBe(200)
    const unknown = '01234-56789-ABCDE-FGHJK-MNPQRS'
    for (const code of [unknown, 'x', '', spent, once, again, ended, off]) {
      const refused = await person.redeem(code)
      expect([refused.status, refused.error], code).toEqual([
        400,
        {
          message: "This code can't be redeemed. It may be mistyped, expired, used up, or already redeemed by you.",
          type: 'invalid_request_error',
          code: 'code_not_redeemable',
        },
      ])
    }
    expect((await operator.patch(`/api/admin/redemption-campaigns/${String(id)}`, { enabled: true })).status).toBe(200)
    expect((await person.redeem(off)).status).toBe(201)
    expect(await balanceOf(person.walletId)).toBe('10')
    expect(await audit()).toEqual([])
  })

  it('P16 is for the owner of a wallet and for administrators of the organization that owns it', async () => {
    const code = await makeCode({ usesPerCode: 10 })
    const { id: organizationId, walletId } = await gateway.createOrganization({ usd: '1' })
    const statuses: Record<string, number> = {}
    for (const role of ['billing_viewer', 'team_admin', 'member', 'org_admin'] as const) {
      const { teamId } = await gateway.addTeam(organizationId)
      const member = await gateway.addMember(organizationId, { role, teamId })
      const client = gateway.as({ cookie: await gateway.signIn(member.userId) })
      statuses[role] = (await client.post(`/api/wallets/${walletId}/redemptions`, { code })).status
    }
    expect(statuses).toEqual({ billing_viewer: 403, team_admin: 403, member: 403, org_admin: 201 })
    expect(await balanceOf(walletId)).toBe('6')
    const { rows } = await gateway.pool.query(
      `SELECT action FROM audit_entries WHERE chain_id = $1 AND action = 'wallet.redeem'`,
      [organizationId],
    )
    expect(rows).toHaveLength(1)
    const stranger = await newPerson()
    expect((await stranger.redeem(code, { wallet: walletId })).status).toBe(404)
    expect((await stranger.redeem(code, { wallet: 'nothing' })).status).toBe(404)
    expect((await stranger.redeem(code, { wallet: stranger.userId })).status).toBe(201)
    const missing = await gateway
      .as({ cookie: stranger.cookie })
      .post(`/api/wallets/${stranger.walletId}/redemptions`, {})
    expect(missing.status).toBe(400)
  })

  it('P14 keeps no code, in no table, log or figure', async () => {
    const code = await makeCode()
    const person = await newPerson()
    await person.redeem(code)
    const { rows } = await gateway.pool.query<{ text: string }>(
      `SELECT string_agg(query_to_xml('SELECT * FROM ' || quote_ident(tablename), true, true, '')::text, ' ') AS text
       FROM pg_tables WHERE schemaname = 'public' AND tablename ~ '^(redemption|audit|idempotency)'`,
    )
    const kept = [rows[0]?.text ?? '', ...gateway.logLines].join(' ')
    expect(kept).toContain(person.walletId)
    expect(kept.replaceAll('-', '')).not.toContain(code.replaceAll('-', ''))
  })
})
