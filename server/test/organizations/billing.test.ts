import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { formatUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import type { Reply } from '#test/setup/reply.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { costTextOf, minus, type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'

let world: MoneyWorld

beforeAll(async () => {
  world = await startMoneyWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  world.upstream.forget()
  world.upstream.play({ kind: 'echo' })
})

const body = { max_tokens: 50 }
const oneNano = '0.000000001'

/** Creates an organization and a key; without a credit line it is prepaid. */
async function newPayer(options: { usd: string; creditLineUsd?: string }) {
  const organization = await world.createOrganization(options)
  const admin = await world.addMember(organization.id, { role: 'org_admin' })
  const { key } = await world.addOrganizationKey(organization.id, { memberId: admin.memberId })
  return { ...organization, admin, key }
}

function errorOf(reply: Reply): unknown {
  return reply.json['error']
}

/** The hold of a request with this body, from the error for an almost empty wallet. */
async function reservationOf(): Promise<string> {
  const refused = await world.call(await newPayer({ usd: oneNano }), body)
  const amount = /needs to reserve \$([0-9.]+),/.exec(refused.text)?.[1]
  if (amount === undefined) throw new Error(`no amount in ${refused.text}`)
  return amount
}

async function setCreditLine(walletId: string, usd: string): Promise<void> {
  await world.pool.query('UPDATE wallets SET credit_line_nano = $2 WHERE id = $1', [walletId, parseUsd(usd)])
}

/** Creates a member in a team, and the administrator's client. */
async function newSpender() {
  const { id, walletId, admin } = await newPayer({ usd: '5' })
  const { teamId } = await world.addTeam(id)
  const { memberId } = await world.addMember(id, { teamId })
  const { key } = await world.addOrganizationKey(id, { memberId })
  const management = await world.addKey(admin.userId, { type: 'management' })
  const send = async (method: string, path: string, json?: object): Promise<string> => {
    const { status, text } = await world.as(management).send(method, `/v1/orgs/${id}${path}`, json)
    expect(status, text).toBe(200)
    return text
  }
  const paths = { team: `/teams/${teamId}`, member: `/members/${memberId}`, organization: '' }
  return { key, walletId, send, paths }
}

function budget(nano: bigint): { monthlyBudget: number } {
  return { monthlyBudget: Number(formatUsd(nanoUsd(nano))) }
}

describe('monthly billing', () => {
  it('[MONEY-07] lets an organization call without prepaid balance, and owes what it has used', async () => {
    const payer = await newPayer({ usd: '0', creditLineUsd: '1' })
    const first = await world.call(payer, body)
    expect(first.status, first.text).toBe(200)
    const second = await world.call(payer, { ...body, stream: true })
    expect(second.status).toBe(200)
    await world.expectSoundBooks()
    const owed = minus('0', costTextOf(first), costTextOf(second))
    expect(parseUsd(owed)).toBeLessThan(0n)
    expect(await world.walletOf(payer.walletId)).toEqual({ balance: owed, held: '0', charged: owed.slice(1) })
    const listed = await world.as(payer).get('/v1/orgs')
    expect(listed.text).toContain(`"creditBalance":${owed}`)
  })

  it('[MONEY-07] [ERR-49] ends exactly where the credit line does', async () => {
    const amount = await reservationOf()
    const payer = await newPayer({ usd: '0', creditLineUsd: minus(amount, oneNano) })
    const refused = await world.call(payer, body)
    expect(refused.status).toBe(402)
    expect(errorOf(refused)).toMatchObject({ code: 'credit_limit_exceeded', type: 'billing_error' })
    expect(world.upstream.requests).toHaveLength(0)
    expect(await world.walletOf(payer.walletId)).toEqual({ balance: '0', held: '0', charged: '0' })
    await setCreditLine(payer.walletId, amount)
    expect((await world.call(payer, body)).status).toBe(200)
    // The used amount is gone from the credit line.
    expect(errorOf(await world.call(payer, body))).toMatchObject({ code: 'credit_limit_exceeded' })
    const { charged } = await world.walletOf(payer.walletId)
    await setCreditLine(payer.walletId, formatUsd(nanoUsd(parseUsd(amount) + parseUsd(charged))))
    expect((await world.call(payer, body)).status).toBe(200)
    await world.expectSoundBooks()
  })

  it('[MONEY-07] counts what was paid before on top of the line, and the line only once under load', async () => {
    const amount = parseUsd(await reservationOf())
    const payer = await newPayer({
      usd: formatUsd(nanoUsd(amount * 3n)),
      creditLineUsd: formatUsd(nanoUsd(amount * 2n)),
    })
    const answer = vendorCompletion('openai', { kind: 'text', pieces: ['Hi'] })
    world.upstream.play({ kind: 'steps', steps: [{ do: 'gate', name: 'open' }, ...answer.steps] })
    const refused: Reply[] = []
    const calls = Array.from({ length: 20 }, async () => {
      const reply = await world.call(payer, body)
      if (reply.status === 402) refused.push(reply)
      return reply.status
    })
    await expect.poll(() => refused.length).toBe(15)
    expect(await world.walletOf(payer.walletId)).toMatchObject({ held: formatUsd(nanoUsd(amount * 5n)) })
    world.upstream.release('open')
    expect((await Promise.all(calls)).filter((status) => status === 200)).toHaveLength(5)
    expect(refused.map(errorOf)).toEqual(refused.map(() => expect.objectContaining({ code: 'credit_limit_exceeded' })))
    expect(world.upstream.requests).toHaveLength(5)
    await world.expectSoundBooks()
  })

  it('[ERR-49] has an error of its own: prepaid organizations run out of credits', async () => {
    const payer = await newPayer({ usd: oneNano })
    expect(errorOf(await world.call(payer, body))).toMatchObject({ code: 'insufficient_credits' })
  })
})

describe('budgets set by an administrator', () => {
  it.each(['team', 'member', 'organization'] as const)(
    '[BUDGET-03] null on a %s means none, from the next call on',
    async (level) => {
      const { key, send, paths } = await newSpender()
      await send('PATCH', paths[level], { monthlyBudget: 0 })
      const refused = await world.call({ key }, body)
      expect([refused.status, errorOf(refused)]).toMatchObject([402, { code: 'budget_cap_reached' }])
      await send('PATCH', paths[level], { monthlyBudget: null })
      expect((await world.call({ key }, body)).status).toBe(200)
    },
  )

  it.each(['team', 'member', 'organization'] as const)(
    '[BUDGET-03] on a %s counts what was spent while there was none',
    async (level) => {
      const { key, send, paths } = await newSpender()
      const amount = parseUsd(await reservationOf())
      await send('PATCH', paths[level], { monthlyBudget: 5 })
      const first = await world.call({ key }, body)
      await send('PATCH', paths[level], { monthlyBudget: null })
      const second = await world.call({ key }, body)
      expect([first.status, second.status]).toEqual([200, 200])
      await world.settled()
      const spent = parseUsd(costTextOf(first)) + parseUsd(costTextOf(second))
      await send('PATCH', paths[level], budget(spent + amount - 1n))
      expect(errorOf(await world.call({ key }, body))).toMatchObject({ code: 'budget_cap_reached' })
      await send('PATCH', paths[level], budget(spent + amount))
      expect((await world.call({ key }, body)).status).toBe(200)
    },
  )

  it('[TEAM-02] [MEMBER-01] stand beside what was spent this month, to the last digit', async () => {
    const { key, send, paths } = await newSpender()
    const cost = costTextOf(await world.call({ key }, body))
    await world.settled()
    for (const path of [paths.team, paths.member]) {
      expect(await send('GET', path)).toContain(`"spendThisMonth":${cost}`)
    }
    const organization = await send('GET', paths.organization)
    expect(organization).toContain(`"spendThisWeek":${cost}`)
    expect(organization).toContain(`"spendThisMonth":${cost}`)
  })

  it('tell who has spent nothing this month', async () => {
    const { key, send, paths } = await newSpender()
    const memberId = paths.member.split('/').at(-1) ?? ''
    const idle = async () =>
      (JSON.parse(await send('GET', '/members?idle=true')) as { data: { id: string }[] }).data.map(({ id }) => id)
    const before = await idle()
    expect(before).toHaveLength(2)
    expect(before).toContain(memberId)
    await world.call({ key }, body)
    await world.settled()
    expect(await idle()).toEqual(before.filter((id) => id !== memberId))
    await world.pool.query(`UPDATE spend_days SET day = day - 62 WHERE kind = 'member' AND owner_id = $1`, [memberId])
    expect(await idle()).toEqual(before)
  })

  it('stand beside what is on hold in the current window, and not in an older one', async () => {
    const { key, send, paths } = await newSpender()
    await send('PATCH', paths.organization, { weeklyBudget: 5, monthlyBudget: 5 })
    for (const path of [paths.team, paths.member]) await send('PATCH', path, { monthlyBudget: 5 })
    expect((await world.call({ key }, body)).status).toBe(200)
    await world.settled()
    const owners = Object.values(paths).map((path) => path.split('/').at(-1))
    const { id } = JSON.parse(await send('GET', paths.organization)).data as { id: string }
    const windows = [[...owners.filter((owner) => owner !== ''), id]]
    await world.pool.query(`UPDATE spend_windows SET held_nano = 7 WHERE owner_id = ANY ($1::uuid[])`, windows)
    await world.pool.query(
      `INSERT INTO spend_windows (kind, owner_id, starts_at, held_nano)
        SELECT kind, owner_id, 0, 90 FROM spend_windows WHERE owner_id = ANY ($1::uuid[]) ON CONFLICT DO NOTHING`,
      windows,
    )
    for (const path of Object.values(paths)) expect(await send('GET', path)).toContain('"heldThisMonth":0.000000007')
    expect(await send('GET', paths.organization)).toContain('"heldThisWeek":0.000000007')
  })

  it('stand beside the number of keys that end with the member or the team', async () => {
    const { send, paths } = await newSpender()
    const { id } = JSON.parse(await send('GET', paths.organization)).data as { id: string }
    const [memberId = '', teamId = ''] = [paths.member, paths.team].map((path) => path.split('/').at(-1))
    await world.addOrganizationKey(id, { memberId, teamId })
    const revoked = await world.addOrganizationKey(id, { memberId, teamId })
    await world.pool.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [revoked.keyId])
    expect(await send('GET', paths.member)).toContain('"keyCount":2')
    expect(await send('GET', paths.team)).toContain('"keyCount":1')
  })

  it('stand beside the settings of the breaker, in lists too', async () => {
    const { send, paths } = await newSpender()
    const { id } = JSON.parse(await send('GET', paths.organization)).data as { id: string }
    const settings = { cbEnabled: true, cbMinuteUsd: 0.000000003, cbHourlyUsd: null }
    for (const path of [paths.team, paths.member]) {
      await send('PATCH', `/../../../api/orgs/${id}${path}/circuit-breaker`, settings)
      const shown = '"breaker":{"cbEnabled":true,"cbMinuteUsd":0.000000003,"cbHourlyUsd":null}'
      expect(await send('GET', path)).toContain(shown)
      expect(await send('GET', `${path.replace(/\/[^/]+$/, '')}?limit=5`)).toContain(shown)
    }
  })
})
