import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import { exchangeRaw, type RawAnswer } from './raw-exchange.ts'

const body = JSON.stringify({ model: 'openai/gpt-5.2', messages: hello })

const targets = [
  '/v1/chat/completions',
  '//v1/chat/completions',
  '/v1//chat/completions',
  '/v1/chat//completions',
  '/v1/chat/completions/',
  '/v1/chat/completions//',
  '/v1%2fchat%2fcompletions',
  '/v1/chat%2fcompletions',
  '/v1/chat%2Fcompletions',
  '/%76%31/chat/completions',
  '/v1/chat/completion%73',
  '/v1/chat/completions%00',
  '/v1/chat/completions%20',
  '/v1/chat/completions;x=1',
  '/v1/models/..;/chat/completions',
  '/v1/models/../chat/completions',
  '/v1/models/%2e%2e/chat/completions',
  '/v1/models/..%2fchat%2fcompletions',
  '/v1/models/../../v1/chat/completions',
  '/./v1/chat/completions',
  '/V1/chat/completions',
  '/v1/Chat/Completions',
  '/v1\\chat\\completions',
  '/health/../v1/chat/completions',
  '/health#/v1/chat/completions',
  '/health?/v1/chat/completions',
  '/v1/chat/completions?public=1',
  '/v1/chat/completions#/health',
  'http://localhost/v1/chat/completions',
  'http://localhost/health/../v1/chat/completions',
  'http://localhost//v1/chat/completions',
  'https://evil.example.com/v1/chat/completions',
  'http://user:sk-weir-x@localhost/v1/chat/completions',
  '*',
]

describe('a path that is not what it seems', () => {
  let world: ChatWorld
  beforeAll(async () => {
    world = await startChatWorld()
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  async function post(target: string, headers: string[] = []): Promise<RawAnswer[]> {
    const head = [`POST ${target} HTTP/1.1`, 'host: weir.example.com', 'connection: close', ...headers]
    head.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
    const { answers } = await exchangeRaw(world.gateway.url, `${head.join('\r\n')}\r\n\r\n${body}`)
    return answers
  }

  it.each(targets)('[P13] never opens the door without a key: %s', async (target) => {
    const answers = await post(target)
    expect(answers).toHaveLength(1)
    expect([400, 401, 404]).toContain(answers[0]?.status)
    expect(world.upstreamCalls()).toBe(0)
  })

  it.each(targets)('[P13] is served as the path it is judged by, and paid for: %s', async (target) => {
    const caller = await world.caller()
    const [answer] = await post(target, [`authorization: Bearer ${caller.key}`])
    const { charged, held } = await world.gateway.walletOf(caller.walletId)
    expect(held).toBe('0')
    expect(answer?.status === 200).toBe(world.upstreamCalls() === 1)
    expect(Number(charged) > 0).toBe(world.upstreamCalls() === 1)
    if (answer?.status === 200) expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    // Another spelling of the path does not help an empty wallet.
    world.forget()
    const poor = await world.caller({ usd: '0' })
    const [refused] = await post(target, [`authorization: Bearer ${poor.key}`])
    expect(refused?.status).toBe(answer?.status === 200 ? 402 : answer?.status)
    expect(world.upstreamCalls()).toBe(0)
  })

  it.each([
    'x-original-url: /health',
    'x-rewrite-url: /health',
    'x-forwarded-path: /health',
    'x-forwarded-uri: /health',
    'x-forwarded-prefix: /health',
    'x-http-method-override: GET',
    'x-method-override: OPTIONS',
    'x-forwarded-for: 127.0.0.1',
    'x-forwarded-user: admin',
    'x-middleware-subrequest: 1',
    'host: 127.0.0.1',
    'host: localhost/health',
    'origin: https://weir.example.com',
  ])('[P13] is not helped by a header: %s', async (header) => {
    const answers = await post('/v1/chat/completions', [header])
    for (const { status } of answers) expect([400, 401]).toContain(status)
    expect(world.upstreamCalls()).toBe(0)
  })

  it('[P13] is not helped by a Host that names something else', async () => {
    for (const host of ['', 'localhost', '127.0.0.1', 'weir.example.com/health', 'x@y', '[::1]', 'a b', '../health']) {
      const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncontent-type: application/json\r\n`
      const { answers } = await exchangeRaw(world.gateway.url, `${head}content-length: ${body.length}\r\n\r\n${body}`)
      for (const { status } of answers) expect([400, 401], host).toContain(status)
    }
    expect(world.upstreamCalls()).toBe(0)
  })
})
