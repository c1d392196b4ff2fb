import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { costTextOf, minus } from '#test/money/money-world.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { createTestClock } from '#test/setup/clock.ts'
import {
  type Institution,
  type InstitutionWorld,
  newEmail,
  startInstitutionWorld,
  unknownKey,
} from './institution-world.ts'

let world: InstitutionWorld
let institution: Institution
beforeAll(async () => {
  world = await startInstitutionWorld()
  institution = await world.createInstitution()
})
afterAll(() => world.close())

const enter = (own = institution) => world.enter({ key: own.key, email: newEmail() })
const statusOf = async (token: string, url = world.url) =>
  (await callChat({ url, key: token }, { model: 'test/echo' })).status

const ask = (key: string, method: string, path: string, body?: object) => world.as({ key }).send(method, path, body)

const remainingOf = async (key: string) => {
  const { headers } = await callChat({ url: world.url, key }, { model: 'test/echo' })
  return Number(headers.get('x-ratelimit-remaining'))
}

describe('a session', () => {
  it('[EDU-11] calls chat completions, as a document and as a stream, on both paths', async () => {
    const { token } = await enter()
    for (const path of ['/v1/chat/completions', '/api/v1/chat/completions']) {
      const reply = await callChat({ url: world.url, key: token }, {}, { path })
      expect(reply.status, path).toBe(200)
    }
    const stream = await callChat({ url: world.url, key: token }, { stream: true })
    expect([stream.status, stream.sawDone]).toEqual([200, true])
  })

  it.each([
    ['POST', '/v1/responses', { model: 'test/echo', input: 'Hello' }],
    ['POST', '/api/v1/responses', { model: 'test/echo', input: 'Hello' }],
    ['POST', '/v1/messages', { model: 'test/echo', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] }],
    ['POST', '/v1/messages/count_tokens', { model: 'test/echo', messages: [{ role: 'user', content: 'Hello' }] }],
    ['GET', '/v1/key', undefined],
    ['GET', '/v1/auth/key', undefined],
    ['GET', '/v1/credits', undefined],
    ['GET', '/v1/generation?id=gen-1', undefined],
    ['GET', '/v1/keys', undefined],
    ['POST', '/v1/keys', { name: 'mine' }],
    ['GET', '/v1/orgs', undefined],
    ['GET', '/v1/orgs/ORG', undefined],
    ['GET', '/v1/orgs/ORG/members', undefined],
    ['GET', '/api/orgs/ORG/institution-keys', undefined],
    ['POST', '/api/orgs/ORG/institution-keys', { name: 'mine' }],
    ['GET', '/api/orgs/ORG/allowed-models', undefined],
  ])('[EDU-12] %s %s is closed to it', async (method, path, body) => {
    const { token } = await enter()
    const answer = await ask(token, method, path.replace('ORG', institution.organizationId), body)
    expect(answer.status, answer.text).toBe(403)
    expect(answer.text).not.toContain(token)
  })

  it('[EDU-14] is paid for by the organization, and by no person', async () => {
    const own = await world.createInstitution({ usd: '10' })
    const { token } = await enter(own)
    const reply = await world.call({ key: token }, {})
    expect(reply.status).toBe(200)
    await world.settled()
    const cost = costTextOf(reply)
    expect(await world.walletOf(own.walletId)).toEqual({ balance: minus('10', cost), held: '0', charged: cost })
    expect(Number(cost)).toBeGreaterThan(0)
    expect(await world.walletOf(own.admin.walletId)).toEqual({ balance: '0', held: '0', charged: '0' })
    const { rows } = await world.pool.query(
      'SELECT key_id, organization_id, user_id FROM generations WHERE wallet_id = $1',
      [own.walletId],
    )
    expect(rows).toEqual([{ key_id: own.keyId, organization_id: own.organizationId, user_id: null }])
    await world.expectSoundBooks()
  })

  it('[EDU-14] is refused with 402 when the organization has no money, whatever others have', async () => {
    const own = await world.createInstitution({ usd: '0' })
    await world.credit(own.admin.walletId, '50')
    const { token } = await enter(own)
    expect((await world.call({ key: token }, {})).status).toBe(402)
  })

  it('has a pace of its own', async () => {
    const [one, other] = [await enter(), await enter()]
    const first = await remainingOf(one.token)
    await remainingOf(one.token)
    expect(await remainingOf(other.token)).toBeGreaterThanOrEqual(first)
  })
})

describe('[EDU-16] a session that an administrator ends', () => {
  const ways = [
    [
      'by its id',
      async (own: Institution, email: string) => {
        const { json } = await world.manage(own, 'GET', `/${own.keyId}/sessions?email=${email}`)
        const [session] = Array.isArray(json.data) ? json.data : []
        const id = typeof session === 'object' && session !== null && 'id' in session ? session.id : ''
        return world.manage(own, 'DELETE', `/${own.keyId}/sessions/${id}`)
      },
    ],
    [
      'by its address',
      (own: Institution, email: string) => world.manage(own, 'DELETE', `/${own.keyId}/sessions?email=${email}`),
    ],
    [
      'with its key switched off',
      (own: Institution) => world.manage(own, 'PATCH', `/${own.keyId}`, { enabled: false }),
    ],
    ['with its key deleted', (own: Institution) => world.manage(own, 'DELETE', `/${own.keyId}`)],
  ] as const

  it.each(ways)('is refused by every instance as soon as the message has come: %s', async (_name, end) => {
    // Its clock stands still, so its cache never expires: only the message makes it read again.
    const second = await startSecondGateway(world, {}, createTestClock(new Date().toISOString()))
    const own = await world.createInstitution()
    const email = newEmail()
    const { token } = await world.enter({ key: own.key, email })
    expect([await statusOf(token), await statusOf(token, second.url)]).toEqual([200, 200])
    expect((await end(own, email)).status).toBeLessThan(300)
    expect(await statusOf(token)).toBe(401)
    await expect.poll(() => statusOf(token, second.url)).toBe(401)
    await second.close()
  })
})

describe('what is no session', () => {
  it('[EDU-13] an institution key itself is refused, and told to be exchanged for a session', async () => {
    for (const key of [institution.key, unknownKey()]) {
      for (const [method, path, body] of [
        ['POST', '/v1/chat/completions', { model: 'test/echo', messages: [{ role: 'user', content: 'Hello' }] }],
        ['GET', '/v1/key', undefined],
        ['GET', `/api/orgs/${institution.organizationId}/institution-keys`, undefined],
      ] as const) {
        const answer = await ask(key, method, path, body)
        expect(answer.status, path).toBe(403)
        expect(answer.text).toMatch(/exchanged for a session/)
      }
    }
  })

  it('a token with any bit changed is refused', async () => {
    const { token } = await enter()
    expect(await statusOf(token)).toBe(200)
    const bytes = Buffer.from(token, 'latin1')
    const forged = new Set<string>()
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const copy = Buffer.from(bytes)
      copy.writeUInt8((copy.readUInt8(bit >> 3) ^ (1 << (bit & 7))) & 0x7f, bit >> 3)
      const text = copy.toString('latin1')
      if (/^[\x21-\x7e]+$/.test(text) && text !== token) forged.add(text)
    }
    expect(forged.size).toBeGreaterThan(250)
    const statuses = new Map<string, number>()
    for (const text of forged) statuses.set(text, await statusOf(text))
    expect([...statuses].filter(([, status]) => status !== 401)).toEqual([])
    for (const text of [
      token.slice(0, -1),
      `${token}A`,
      token.toUpperCase(),
      token.slice(9),
      `sk-weir-${token.slice(9)}`,
    ]) {
      expect(await statusOf(text), text).toBe(401)
    }
  })

  it('the hash of a token opens nothing, nor does the hash of a key', async () => {
    await enter()
    const { rows } = await world.pool.query<{ hash: string }>(
      `SELECT encode(token_hash, 'hex') AS hash FROM institution_sessions UNION SELECT encode(secret_hash, 'hex') FROM api_keys`,
    )
    for (const { hash } of rows.slice(0, 20)) expect(await statusOf(`edu-sess-${hash}`)).toBe(401)
  })
})
