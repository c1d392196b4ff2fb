import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'
import { hiddenRequests } from './hidden-requests.ts'
import { exchangeRaw } from './raw-exchange.ts'

const smuggled = 'GET /v1/models/smuggled HTTP/1.1\r\nhost: x\r\n\r\n'
const requestLine = 'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'

describe('a request that hides another', () => {
  let world: ChatWorld
  let key: string
  beforeAll(async () => {
    world = await startChatWorld()
    key = (await world.caller()).key
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  it.each(hiddenRequests(smuggled))(
    'gets one answer at most, and the hidden one none: $name',
    async ({ lines, rest }) => {
      const bytes = `${requestLine}authorization: Bearer ${key}\r\n${lines.join('\r\n')}\r\n\r\n${rest}`
      const { answers, text } = await exchangeRaw(world.gateway.url, Buffer.from(bytes, 'latin1'), 1_500)
      expect(answers.length).toBeLessThanOrEqual(1)
      for (const { status } of answers) expect([400, 415, 431]).toContain(status)
      expect(text).not.toContain('smuggled')
      expect(world.upstreamCalls()).toBe(0)
    },
  )

  it('gets its own answer when it is two honest ones, each in its place', async () => {
    const [one, other] = await Promise.all([world.caller(), world.caller()])
    const bytes = `${ask(one.key, 'canary-one')}${ask(other.key, 'canary-two')}${smuggled}`
    const { answers } = await exchangeRaw(world.gateway.url, bytes)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404])
    expect(answers[0]?.body).toContain('canary-one')
    expect(answers[1]?.body).toContain('canary-two')
    expect(answers[0]?.body).not.toContain('canary-two')
  })

  it('never breaks into a stream that is under way', async () => {
    world.openai.playNext({
      kind: 'steps',
      steps: [
        { do: 'head', status: 200, headers: { 'content-type': 'text/event-stream' } },
        { do: 'write', text: 'data: {"id":"x","choices":[{"index":0,"delta":{"content":"first"}}]}\n\n' },
        { do: 'stall' },
      ],
    })
    const caller = await world.caller()
    const body = JSON.stringify({ model: 'openai/gpt-5.2', stream: true, messages: [{ role: 'user', content: 'Hi' }] })
    const bytes = `${requestLine}authorization: Bearer ${caller.key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const alone = await exchangeRaw(world.gateway.url, bytes)
    expect(alone.text).toContain('first')
    world.forget()
    const { text } = await exchangeRaw(world.gateway.url, `${bytes}\u0000garbage\r\n\r\n`)
    expect(text.match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThanOrEqual(1)
    await expect.poll(() => world.gateway.walletOf(caller.walletId)).toMatchObject({ held: '0' })
  })
})

function ask(secret: string, content: string): string {
  const body = JSON.stringify({ model: 'openai/gpt-5.2', messages: [{ role: 'user', content }] })
  return `${requestLine}authorization: Bearer ${secret}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}
