import { readdir, readlink } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createImageTokens } from '#control/media/image-tokens.ts'
import { proxyEndpoint } from '#http/images/proxy-endpoint.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { bitFlipsOf } from './bit-flips.ts'
import { type ProxyWorld, startProxyWorld } from './proxy-world.ts'
import { pngOf } from './sample-images.ts'

const hourMs = 3_600_000

describe('GET /v1/images/proxy/{token}', () => {
  let world: ProxyWorld
  const png = pngOf({ width: 640, height: 480 })
  beforeAll(async () => {
    world = await startProxyWorld({ WEIR_PREVIOUS_SECRETS: `${testSecret}-previous` })
  })
  afterAll(() => world.close())

  it('[IMG-16] gives the bytes away to whoever has the token, whatever credential they send', async () => {
    const token = await world.keep(png)
    for (const headers of [{}, { authorization: 'Bearer sk-weir-nonsense' }, { cookie: 'a=b' }]) {
      const response = await world.fetchImage(token, { headers })
      expect(response.status).toBe(200)
      expect(response.bytes.equals(png)).toBe(true)
    }
    const legacy = await world.as().get(`/api/v1/images/proxy/${token}`)
    expect([legacy.status, legacy.bytes.equals(png)]).toEqual([200, true])
  })

  it('[IMG-16] says what it is, how long it holds, and that nothing in it may run', async () => {
    const response = await world.fetchImage(await world.keep(png, Date.now() - 600_000))
    const headers = Object.fromEntries(response.headers)
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.length),
      'accept-ranges': 'bytes',
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    })
    const [, maxAge] = /^private, max-age=(\d+), immutable$/.exec(headers['cache-control'] ?? '') ?? []
    expect(Number(maxAge)).toBeGreaterThan(2_940)
    expect(Number(maxAge)).toBeLessThanOrEqual(3_000)
    expect(headers['etag']).toMatch(/^"[0-9a-f-]{36}"$/)
  })

  it('[IMG-16] answers ranges, conditions and HEAD', async () => {
    const token = await world.keep(png)
    const whole = await world.fetchImage(token)
    const etag = whole.headers.get('etag') ?? ''
    const ask = (headers: Record<string, string>) => world.fetchImage(token, { headers })
    for (const [range, first, last] of [
      ['bytes=0-0', 0, 0],
      ['bytes=10-99', 10, 99],
      ['bytes=100000-', 100_000, png.length - 1],
      ['bytes=-5', png.length - 5, png.length - 1],
      [`bytes=-${png.length * 2}`, 0, png.length - 1],
      [`bytes=5-${png.length * 2}`, 5, png.length - 1],
    ] as const) {
      const part = await ask({ range })
      expect(part.status).toBe(206)
      expect(part.headers.get('content-range')).toBe(`bytes ${first}-${last}/${png.length}`)
      expect(part.headers.get('content-length')).toBe(String(last - first + 1))
      expect(part.bytes.equals(png.subarray(first, last + 1))).toBe(true)
    }
    for (const range of [`bytes=${png.length}-`, 'bytes=-0']) {
      const none = await ask({ range })
      expect([none.status, none.headers.get('content-range')]).toEqual([416, `bytes */${png.length}`])
      expect(none.bytes.length).toBe(0)
    }
    for (const range of ['bytes=9-5', 'bytes=0-1,3-4', 'items=0-1', 'bytes=a-b', 'bytes=-']) {
      expect((await ask({ range })).bytes.equals(png)).toBe(true)
    }
    expect((await ask({ range: 'bytes=0-0', 'if-range': etag })).status).toBe(206)
    expect((await ask({ range: 'bytes=0-0', 'if-range': '"other"' })).status).toBe(200)
    expect((await ask({ 'if-none-match': etag })).status).toBe(304)
    const head = await world.fetchImage(token, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), head.headers.get('content-type')]).toEqual([
      200,
      String(png.length),
      'image/png',
    ])
    expect((await world.fetchImage(`${token.slice(0, -1)}!`, { method: 'HEAD' })).status).toBe(404)
  })

  it('[IMG-17] gives one and the same 404 for altered, expired, foreign, recombined and vanished ones', async () => {
    const token = await world.keep(png)
    const other = await world.keep(png)
    const foreign = createImageTokens({ secret: `${testSecret}-of-another`, previousSecrets: [] })
    const image = world.tokens.read(token, Date.now())
    if (image === null) throw new Error('the token does not hold')
    const vanished = await world.keep(png)
    await world.blobs.remove(world.tokens.read(vanished, Date.now())?.key ?? '')
    const refused = [
      ...bitFlipsOf(token),
      token.slice(0, 38) + other.slice(38),
      await world.keep(png, Date.now() - hourMs - 1),
      foreign.issue(image),
      vanished,
      `${token}=`,
      'x',
      'x'.repeat(299),
    ]
    const answers = new Set<string>()
    for (const text of refused) {
      const response = await world.fetchImage(encodeURIComponent(text))
      answers.add(`${response.status} ${response.text} ${response.headers.get('cache-control')}`)
    }
    expect([...answers]).toEqual([
      '404 {"error":{"message":"Image not found or expired. Images are kept for one hour.","type":"invalid_request_error","code":404}} null',
    ])
    console.log(`${refused.length} tokens that do not hold: ${answers.size} answer`)
    expect((await world.fetchImage(token)).status).toBe(200)
  })

  it('[IMG-17] holds for an hour of the clock and then no more, also for those who have seen it', async () => {
    const { handle } = proxyEndpoint({ tokens: world.tokens, blobs: world.blobs })
    const madeAtMs = Date.parse('2026-11-15T08:59:59.999Z')
    const token = await world.keep(png, madeAtMs)
    const at = (nowMs: number) =>
      handle({
        params: { token },
        query: {},
        body: {},
        files: [],
        headers: {},
        basePath: '',
        requestId: '1',
        nowMs,
        clientIp: null,
        client: null,
        operates: false,
        identifyAgain: async () => null,
        organization: null,
      })
    const last = await at(madeAtMs + 3_600_000 - 1)
    expect([last.status, last.headers?.['cache-control']]).toEqual([200, 'private, max-age=0, immutable'])
    await expect(at(madeAtMs + 3_600_000)).rejects.toMatchObject({ errorName: 'notFound' })
  })

  it('[IMG-17] goes on with tokens of the secret before', async () => {
    const before = createImageTokens({ secret: `${testSecret}-previous`, previousSecrets: [] })
    const image = world.tokens.read(await world.keep(png), Date.now())
    if (image === null) throw new Error('the token does not hold')
    expect((await world.fetchImage(before.issue(image))).status).toBe(200)
  })

  it('[IMG-16] lets go of the file when a caller leaves in the middle', async () => {
    const token = await world.keep(pngOf({ width: 4_000, height: 4_000 }))
    for (let times = 0; times < 20; times += 1) {
      const response = await world.as().open('GET', `/v1/images/proxy/${token}`)
      await response.body?.cancel()
    }
    await expect.poll(() => openFilesUnder(world.folder)).toEqual([])
  })

  it('[AUTH-07] the four open paths answer without any credential, and with a wrong one', async () => {
    const token = await world.keep(png)
    const paths = ['/v1/models', '/v1/models/openai-gpt-4o-mini', '/v1/images/models', `/v1/images/proxy/${token}`]
    for (const path of paths) {
      for (const prefix of ['', '/api']) {
        for (const headers of [{}, { authorization: 'Bearer sk-weir-unknown' }, { 'x-api-key': 'nonsense' }]) {
          const response = await world.as().get(prefix + path, { headers })
          expect([path, response.status]).toEqual([path, 200])
        }
      }
    }
  })

  it('refuses other methods and never lists', async () => {
    const token = await world.keep(png)
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      expect((await world.fetchImage(token, { method })).status).toBe(404)
    }
    expect((await world.as().get('/v1/images/proxy/')).status).toBe(404)
    expect((await world.as().get('/v1/images/proxy/..%2f..%2fpackage.json')).status).toBe(404)
  })
})

/** The files of a folder that this process has open; the gateway runs in it. */
async function openFilesUnder(folder: string): Promise<string[]> {
  const names = await readdir('/proc/self/fd')
  const paths = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
  return paths.filter((path) => path.startsWith(folder))
}
