import { array, assert, asyncProperty, constantFrom, integer, pre } from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'
import { exchangeRaw } from './raw-exchange.ts'

describe('a credential that is not one', () => {
  let world: ChatWorld
  let key: string
  beforeAll(async () => {
    world = await startChatWorld()
    key = (await world.caller()).key
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  /** Over a bare socket, because HTTP clients normalize what they send. */
  async function statusesOf(...headers: string[]): Promise<number[]> {
    const head = ['GET /v1/key HTTP/1.1', 'host: x', 'connection: close', ...headers]
    const { answers } = await exchangeRaw(world.gateway.url, Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'))
    return answers.map(({ status }) => status)
  }

  it('is accepted as it should be, so that the refusals below mean something', async () => {
    for (const form of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}  `]) {
      expect(await statusesOf(`authorization: ${form}`), form).toEqual([200])
    }
  })

  it('is refused in every other form', async () => {
    const forms = [
      '',
      'Bearer',
      'Bearer ',
      key,
      `Bearer${key}`,
      `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      `Basic ${key}`,
      `Token ${key}`,
      `Bearer "${key}"`,
      `Bearer ${key},${key}`,
      `Bearer ${key} ${key}`,
      `Bearer Bearer ${key}`,
      `Bearer ${key.toUpperCase()}`,
      `Bearer ${encodeURIComponent(`${key}\0`)}`,
      `Bearer ${key}\u00a0`,
      `Bearer sk-weir-' OR '1'='1`,
      `Bearer sk-weir-';SELECT(pg_sleep(3600));--aaaaaaaaaaaaaaaaaaaaaaa`,
      `Bearer sk-weir-%27%20OR%201=1--aaaaaaaaaaaaaaaaaaaaaaaaaaaa`,
      `Bearer sk-weir-${'*'.repeat(43)}`,
      `Bearer sk-weir-${'0'.repeat(10_000)}`,
      'Bearer null',
      'Bearer undefined',
      'Bearer {"$ne":null}',
      'Bearer __proto__',
    ]
    for (const form of forms) {
      expect(await statusesOf(`authorization: ${form}`), form).toEqual([401])
    }
  })

  it('is refused whatever bytes it has', async () => {
    const octet = integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f)
    const noise = array(octet, { maxLength: 120 }).map((codes) => String.fromCharCode(...codes))
    const prefix = constantFrom('', 'Bearer ', 'Bearer sk-weir-', `Bearer ${key.slice(0, 20)}`, `Bearer ${key}`)
    await assert(
      asyncProperty(prefix, noise, async (start, rest) => {
        pre(rest.trim() !== '' || !start.endsWith(key))
        const response = await world.gateway.as().get('/v1/key', { headers: { authorization: start + rest } })
        expect(response.status).toBe(401)
      }),
      { numRuns: 300 },
    )
  })

  it('is refused in any other place', async () => {
    for (const name of ['x-api-key', 'api-key', 'x-goog-api-key', 'proxy-authorization', 'cookie', 'x-authorization']) {
      expect(await statusesOf(`${name}: ${key}`), name).toEqual([401])
      expect(await statusesOf(`${name}: Bearer ${key}`), name).toEqual([401])
    }
    for (const query of [`key=${key}`, `api_key=${key}`, `access_token=${key}`, `authorization=Bearer%20${key}`]) {
      const response = await world.gateway.as().get(`/v1/key?${query}`)
      expect(response.status, query).toBe(401)
    }
  })

  it('does not slip in beside another one', async () => {
    const wrong = `sk-weir-${'0'.repeat(43)}`
    expect(await statusesOf(`authorization: Bearer ${wrong}`, `x-api-key: ${key}`)).toEqual([401])
    expect(await statusesOf(`authorization: Bearer ${wrong}`, `authorization: Bearer ${key}`)).toEqual([401])
    // A second header does not bypass the limits of the first: the request counts for its owner.
    const [one, other] = await Promise.all([world.caller(), world.caller()])
    const reply = await world.chat({}, { as: one, headers: { 'x-api-key': other.key } })
    expect(reply.status).toBe(200)
    expect(Number((await world.gateway.walletOf(one.walletId)).charged)).toBeGreaterThan(0)
    expect(await world.gateway.walletOf(other.walletId)).toMatchObject({ charged: '0' })
  })

  it('is never logged', async () => {
    await world.chat({}, { headers: { authorization: `Bearer ${key}` } })
    await statusesOf(`authorization: Bearer ${key}x`)
    expect(world.gateway.logLines.length).toBeGreaterThan(0)
    const secret = key.slice('sk-weir-'.length)
    expect(world.gateway.logLines.filter((line) => line.includes(secret) || line.includes('upstream-secret'))).toEqual(
      [],
    )
  })
})
