import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callChat } from '#test/setup/call-chat.ts'
import type { Reply } from '#test/setup/reply.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import { plainModel, startVideoWorld, type VideoWorld } from '#test/videos/video-world.ts'
import { type DnsReply, type DnsServer, startDnsServer } from './start-dns-server.ts'

const ordersAtOnce = 30
const namesPerOrder = 11

const urlsAt = (domain: string): string[] =>
  Array.from({ length: namesPerOrder }, (_, place) => `https://x${place}.${domain}/a.png`)

describe('[B4] an account whose orders name hosts that no server answers for', () => {
  const answered = { dead: Promise.withResolvers<DnsReply>(), silent: Promise.withResolvers<DnsReply>() }
  let dns: DnsServer
  let chats: Simulator
  let world: VideoWorld
  beforeAll(async () => {
    dns = await startDnsServer((name, type) => {
      if (name.endsWith('.dead.example')) return answered.dead.promise
      if (name.endsWith('.silent.example')) return answered.silent.promise
      if (/^upstream-[12]\.example$/.test(name) && type === 'A') return [{ type, data: '127.0.0.1' }]
      if (name === 'pictures.example' && type === 'A') return [{ type, data: '93.184.216.34' }]
      return 'missing'
    })
    chats = await startSimulator()
    world = await startVideoWorld('luma-agents', {
      WEIR_DNS_SERVERS: dns.address,
      WEIR_DNS_TIMEOUT_MS: '60000',
      WEIR_UPSTREAM_CONNECT_TIMEOUT_MS: '60000',
    })
    await world.addModels([plainModel])
    const { port } = new URL(chats.url)
    for (const [name, model] of [
      ['upstream-1', 'openai/gpt-5.2'],
      ['upstream-2', 'openai/gpt-4o-mini'],
    ] as const) {
      const url = `http://${name}.example:${port}/v1`
      await world.addProvider({ vendor: 'openai', name, url, pattern: model, priority: 10 })
    }
  })
  afterAll(async () => {
    await world.close()
    await chats.close()
    await dns.close()
  })

  const order = (caller: { key: string }, urls: readonly string[]): Promise<Reply> => {
    const [first = '', last = '', ...references] = urls
    const body = { model: 'acme/film', prompt: 'a weir', frame_images: [first, last] }
    return world.call(caller, '/v1/videos', {
      body: references.length === 0 ? body : { ...body, input_references: references },
    })
  }

  const askedBelow = (domain: string): number =>
    new Set(dns.questions.filter((question) => question.endsWith(`.${domain} A`))).size

  it('is told so with 429, while upstreams and the orders of others are found as ever', async () => {
    const [flood, other] = [await world.createClient({ usd: '10' }), await world.createClient({ usd: '10' })]
    const settled: Reply[] = []
    const flooding = Array.from({ length: ordersAtOnce }, async (_, index) => {
      settled.push(await order(flood, urlsAt(`order${index}.dead.example`)))
    })
    // 8 names are being resolved and 256 wait, so further orders are rejected; the others stay pending.
    const standing = 24
    await expect.poll(() => settled.length).toBe(ordersAtOnce - standing)
    for (const { status, headers } of settled) {
      expect(status).toBe(429)
      expect(headers.get('retry-after')).toBe('5')
    }
    const chat = await callChat({ url: world.url, key: other.key }, {})
    expect([chat.status, chats.requests.length]).toEqual([200, 1])
    const video = await order(other, ['https://pictures.example/a.png', 'https://pictures.example/b.png'])
    expect(video.status, video.text).toBe(202)
    expect(settled).toHaveLength(ordersAtOnce - standing)
    expect(askedBelow('dead.example')).toBe(8)
    answered.dead.resolve('missing')
    await Promise.all(flooding)
    expect(settled.filter(({ status }) => status === 429)).toHaveLength(ordersAtOnce - standing)
  })

  it('can not keep upstreams from being found, even where so many accounts do it that others have to wait', async () => {
    const callers = await Promise.all(Array.from({ length: 33 }, () => world.createClient({ usd: '10' })))
    const [other = { key: '' }, ...flooding] = callers
    const orders: Promise<Reply>[] = []
    // One after another: a burst of queries would overflow the server's socket.
    for (const [index, caller] of flooding.entries()) {
      orders.push(order(caller, urlsAt(`caller${index}.silent.example`)))
      await expect.poll(() => askedBelow('silent.example'), { interval: 5 }).toBe(8 * orders.length)
    }
    const waiting = order(other, urlsAt('other.silent.example').slice(0, 2))
    const chat = await callChat({ url: world.url, key: other.key }, { model: 'openai/gpt-4o-mini' })
    expect(chat.status, chat.text).toBe(200)
    expect(askedBelow('silent.example')).toBe(32 * 8)
    answered.silent.resolve('missing')
    await Promise.all([...orders, waiting])
  })
})
