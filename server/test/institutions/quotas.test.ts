import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject } from '#lib/json.ts'
import { costTextOf, usageOf } from '#test/money/money-world.ts'
import { type InstitutionWorld, newEmail, startInstitutionWorld } from './institution-world.ts'

let world: InstitutionWorld
beforeAll(async () => {
  world = await startInstitutionWorld()
})
afterAll(() => world.close())

async function enterWith(eduConfig: Record<string, number>) {
  const own = await world.createInstitution({ eduConfig })
  const entry = { key: own.key, email: newEmail() }
  return { own, entry, ...(await world.enter(entry)) }
}

const refused = { error: { code: 429, type: 'rate_limit_error', message: expect.stringMatching(/quota of/) } }

describe("[EDU-18] a session's quota of requests", () => {
  it('answers 429 once it is used up, and a new session has a new one', async () => {
    const { entry, token } = await enterWith({ sessionRequestQuota: 3 })
    for (let count = 0; count < 3; count += 1) expect((await world.call({ key: token }, {})).status).toBe(200)
    const reply = await world.call({ key: token }, {})
    expect(reply.status).toBe(429)
    expect(reply.json).toMatchObject(refused)
    expect(reply.headers.get('x-should-retry')).toBe('false')
    const next = await world.enter(entry)
    expect((await world.call({ key: next.token }, {})).status).toBe(200)
  })

  it('is exact for requests that come together', async () => {
    const { own, token } = await enterWith({ sessionRequestQuota: 7 })
    const before = world.upstream.requests.length
    const replies = await Promise.all(Array.from({ length: 60 }, () => world.call({ key: token }, { max_tokens: 5 })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(7)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(53)
    expect(world.upstream.requests.length - before).toBe(7)
    const { rows } = await world.pool.query(
      'SELECT requests_used::integer AS used FROM institution_sessions WHERE key_id = $1',
      [own.keyId],
    )
    expect(rows).toEqual([{ used: 7 }])
    await world.expectSoundBooks()
  })

  it('is what the key had when the session began', async () => {
    const { own, token } = await enterWith({ sessionRequestQuota: 2 })
    await world.manage(own, 'PATCH', `/${own.keyId}`, { eduConfig: { sessionRequestQuota: null } })
    const statuses: number[] = []
    for (let count = 0; count < 3; count += 1) statuses.push((await world.call({ key: token }, {})).status)
    expect(statuses).toEqual([200, 200, 429])
  })
})

describe("[EDU-18] a session's quota of tokens", () => {
  it('answers 429 once settled requests have used it up', async () => {
    const first = await enterWith({ sessionTokenQuota: 1_000_000 })
    const { total_tokens: total } = usageOf(await world.call({ key: first.token }, {}))
    if (typeof total !== 'number') throw new Error('no tokens were counted')
    const { own, token } = await enterWith({ sessionTokenQuota: total + 1 })
    const statuses: number[] = []
    for (let count = 0; count < 3; count += 1) {
      const reply = await world.call({ key: token }, {})
      statuses.push(reply.status)
      if (reply.status === 429) expect(reply.json).toMatchObject(refused)
    }
    expect(statuses).toEqual([200, 200, 429])
    const { json } = await world.manage(own, 'GET', `/${own.keyId}/sessions`)
    const [session] = Array.isArray(json.data) ? json.data.filter(isJsonObject) : []
    expect(session?.tokens).toEqual({ quota: total + 1, used: 2 * total })
  })
})

describe("[EDU-18] a session's quota of USD", () => {
  it('answers 402 before more is spent, also for requests that come together', async () => {
    const probe = await enterWith({})
    const cost = Number(costTextOf(await world.call({ key: probe.token }, { max_tokens: 5 })))
    const { token } = await enterWith({ sessionSpendQuotaUsd: Number((cost * 4).toFixed(9)) })
    const replies = await Promise.all(Array.from({ length: 30 }, () => world.call({ key: token }, { max_tokens: 5 })))
    const served = replies.filter(({ status }) => status === 200)
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 402]))
    const spent = served.reduce((sum, reply) => sum + Number(costTextOf(reply)), 0)
    expect(spent).toBeLessThanOrEqual(cost * 4 + 1e-9)
    const reply = replies.find(({ status }) => status === 402)
    expect(reply?.json).toMatchObject({
      error: { code: 'spend_limit_exceeded', message: expect.stringMatching(/session's spend quota/) },
    })
    await world.expectSoundBooks()
  })

  it('lets other sessions of the key spend', async () => {
    const { entry, token } = await enterWith({ sessionSpendQuotaUsd: 0.000000001 })
    expect((await world.call({ key: token }, {})).status).toBe(402)
    await world.pool.query('UPDATE institution_keys SET session_spend_quota_nano = NULL')
    const other = await world.enter({ ...entry, email: newEmail() })
    expect((await world.call({ key: other.token }, {})).status).toBe(200)
  })
})
