import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { startOf } from '#lib/utc-calendar.ts'
import { purgePersonMonths } from '#store/postgres/institutions/person-months.sql.ts'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { costTextOf } from '#test/money/money-world.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { findOverspend } from '#test/setup/find-overspend.ts'
import type { Reply } from '#test/setup/reply.ts'
import { type Institution, type InstitutionWorld, newEmail, startInstitutionWorld } from './institution-world.ts'

// Sessions are kept by the store's clock, so the test begins in its month.
const nowMs = Date.now()
const monthMs = startOf('month', nowMs)
const clock = createTestClock(new Date(nowMs).toISOString())
let world: InstitutionWorld
beforeAll(async () => {
  world = await startInstitutionWorld({}, clock)
})
afterAll(() => world.close())

const yearS = 31_536_000
const ask = { max_tokens: 5 }
const callWith = (token: string, url = world.url) => callChat({ url, key: token }, ask)
const campus = (eduConfig: Record<string, number | null> = {}) =>
  world.createInstitution({ eduConfig: { sessionTtlSeconds: yearS, ...eduConfig } })
const change = (own: Institution, eduConfig: Record<string, number | null>) =>
  world.manage(own, 'PATCH', `/${own.keyId}`, { eduConfig })
const refused = {
  error: { code: 'spend_limit_exceeded', message: expect.stringMatching(/^The person's monthly spend quota has been/) },
}

/** What a request costs, which is the same for all of them. */
async function costOf(): Promise<bigint> {
  const { token } = await world.enter({ key: (await campus()).key, email: newEmail() })
  return costIn(await callWith(token))
}

function costIn(reply: Reply): bigint {
  return parseUsd(costTextOf(reply))
}

/** What one request holds, from the message that refuses it. */
async function needOf(own: Institution, token: string): Promise<bigint> {
  await change(own, { monthlySpendQuotaUsd: 0.000000001 })
  const { text } = await callWith(token)
  const [, need] = /\$([\d.]+)/.exec(text) ?? []
  if (need === undefined) throw new Error(`no amount in ${text}`)
  return parseUsd(need)
}

const usd = (nano: bigint): number => Number(formatUsd(nanoUsd(nano)))

async function chargedTo(own: Institution): Promise<bigint> {
  const { rows } = await world.pool.query<{ spent: string }>(
    'SELECT coalesce(sum(cost_nano), 0) AS spent FROM generations WHERE key_id = $1',
    [own.keyId],
  )
  return BigInt(rows[0]?.spent ?? 0)
}

async function monthlySpendOf(own: Institution) {
  const { list } = await world.manage(own, 'GET', `/${own.keyId}/sessions`)
  return list.map(({ monthlySpend }) => monthlySpend)
}

describe('the monthly quota of a person', () => {
  it('bounds all sessions of the person together, over two gateways, and to the last nano-dollar', async () => {
    const second = await startSecondGateway(world, {}, clock)
    const cost = await costOf()
    const quota = cost * 7n - 1n
    const own = await campus({ monthlySpendQuotaUsd: usd(quota) })
    const email = newEmail()
    const tokens: string[] = []
    for (const spelling of [email, email.replace('uni.edu', 'UNI.edu'), email]) {
      tokens.push((await world.enter({ key: own.key, email: spelling })).token)
    }
    const calls = Array.from({ length: 45 }, (_, index) =>
      callWith(tokens[index % 3] ?? '', index % 2 === 0 ? world.url : second.url),
    )
    const replies = await Promise.all(calls)
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 402]))
    for (const reply of replies.filter(({ status }) => status === 402)) expect(reply.json).toMatchObject(refused)
    await world.settled()
    const charged = await chargedTo(own)
    expect(charged).toBe(replies.filter(({ status }) => status === 200).reduce((sum, one) => sum + costIn(one), 0n))
    expect(charged).toBeLessThanOrEqual(quota)
    // Another person and the same person at another institution key are not affected.
    const other = await world.enter({ key: own.key, email: newEmail() })
    expect((await callWith(other.token)).status).toBe(200)
    const elsewhere = await campus({ monthlySpendQuotaUsd: 1 })
    expect((await callWith((await world.enter({ key: elsewhere.key, email })).token)).status).toBe(200)
    await world.expectSoundBooks()
    expect(await findOverspend(world.pool)).toEqual([])
    await second.close()
  })

  it('has room for a hold that fills it, and not for one nano-dollar more', async () => {
    const own = await campus()
    const { token } = await world.enter({ key: own.key, email: newEmail() })
    const need = await needOf(own, token)
    await change(own, { monthlySpendQuotaUsd: usd(need - 1n) })
    expect((await callWith(token)).status).toBe(402)
    await change(own, { monthlySpendQuotaUsd: usd(need) })
    expect((await callWith(token)).status).toBe(200)
  })

  it('counts what the person spent earlier in the month without a quota, and is changed for running sessions', async () => {
    const own = await campus()
    const { token } = await world.enter({ key: own.key, email: newEmail() })
    const cost = costIn(await callWith(token))
    await world.settled()
    await change(own, { monthlySpendQuotaUsd: usd(cost) })
    expect((await callWith(token)).json).toMatchObject(refused)
    expect(await monthlySpendOf(own)).toEqual([{ quotaUsd: usd(cost), usedUsd: usd(cost) }])
    // While it is off nothing is counted; the next quota counts the whole month again.
    await change(own, { monthlySpendQuotaUsd: null })
    expect((await callWith(token)).status).toBe(200)
    await world.settled()
    await change(own, { monthlySpendQuotaUsd: usd(cost * 2n) })
    expect((await callWith(token)).status).toBe(402)
    await change(own, { monthlySpendQuotaUsd: 1 })
    expect((await callWith(token)).status).toBe(200)
    await world.settled()
    expect(await monthlySpendOf(own)).toEqual([{ quotaUsd: 1, usedUsd: usd(cost * 3n) }])
    await world.expectSoundBooks()
  })

  it('begins anew with the month in UTC', async () => {
    const cost = await costOf()
    const own = await campus({ monthlySpendQuotaUsd: usd(cost * 2n - 1n) })
    const { token } = await world.enter({ key: own.key, email: newEmail() })
    const next = new Date(monthMs)
    next.setUTCMonth(next.getUTCMonth() + 1)
    clock.set(new Date(next.getTime() - 1).toISOString())
    const before = await callWith(token)
    const last = await callWith(token)
    clock.set(next.toISOString())
    const first = await callWith(token)
    await world.settled()
    expect(await monthlySpendOf(own)).toMatchObject([{ usedUsd: usd(cost) }])
    clock.set(new Date(nowMs).toISOString())
    expect([before.status, last.status, first.status]).toEqual([200, 402, 200])
  })

  it('counts a session from before this version as a person of its own', async () => {
    const own = await campus({ monthlySpendQuotaUsd: 1 })
    const email = newEmail()
    const [one, other] = [await world.enter({ key: own.key, email }), await world.enter({ key: own.key, email })]
    await world.pool.query('UPDATE institution_sessions SET person_id = NULL WHERE key_id = $1', [own.keyId])
    expect((await callWith(one.token)).status).toBe(200)
    await world.settled()
    await change(own, { monthlySpendQuotaUsd: usd(await needOf(own, other.token)) })
    expect([(await callWith(one.token)).status, (await callWith(other.token)).status]).toEqual([402, 200])
  })
})

it('what is kept of a person for the quota is a keyed hash alone, until a week after the month', async () => {
  const own = await campus({ monthlySpendQuotaUsd: 1 })
  const email = newEmail()
  const { token } = await world.enter({ key: own.key, email })
  expect((await callWith(token)).status).toBe(200)
  await world.settled()
  const kept = async () => {
    const { rows } = await world.pool.query<{ row: string }>(
      `SELECT to_json(p)::text AS row FROM institution_person_months p WHERE key_id = $1
       UNION ALL SELECT to_json(s)::text FROM spend_windows s
         WHERE kind = 'person_month' AND owner_id IN (SELECT person_id FROM institution_sessions WHERE key_id = $1)`,
      [own.keyId],
    )
    return rows.map(({ row }) => row)
  }
  const rows = await kept()
  expect(rows).toHaveLength(2)
  for (const row of rows) expect(row).not.toContain(email.split('@')[0])
  expect(await purgePersonMonths(world.pool, 100)).toBe(0)
  const shift = async (to: string) => {
    await world.pool.query(`UPDATE institution_person_months SET month = (${to})::date WHERE key_id = $1`, [own.keyId])
    await world.pool.query(
      `UPDATE spend_windows SET starts_at = extract(epoch FROM (${to}) AT TIME ZONE 'UTC') * 1000
       WHERE kind = 'person_month' AND owner_id IN (SELECT person_id FROM institution_sessions WHERE key_id = $1)`,
      [own.keyId],
    )
  }
  // The month of eight days ago is kept; the one before it is not.
  const kindOf = `date_trunc('month', now() AT TIME ZONE 'UTC' - interval '7 days')`
  await shift(kindOf)
  expect(await purgePersonMonths(world.pool, 100)).toBe(0)
  await shift(`${kindOf} - interval '1 month'`)
  expect(await purgePersonMonths(world.pool, 100)).toBe(2)
  expect(await kept()).toEqual([])
})
