import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'
import { exchangeRaw } from './raw-exchange.ts'

const smuggled = 'GET /v1/models/smuggled HTTP/1.1\r\nhost: x\r\n\r\n'
const json = JSON.stringify({ model: 'openai/gpt-5.2', messages: [{ role: 'user', content: 'Hi' }] })
const requestLine = 'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const chunked = `${chunk(json)}0\r\n\r\n`

/** Header lines and what follows them. Any reading that ends the first request early finds the second one. */
const corpus: [string, string[], string][] = [
  ['length and chunks', ['content-length: 4', 'transfer-encoding: chunked'], `0\r\n\r\n${smuggled}`],
  ['chunks and length', ['transfer-encoding: chunked', `content-length: ${chunked.length}`], `${chunked}${smuggled}`],
  ['two lengths', ['content-length: 0', `content-length: ${smuggled.length}`], smuggled],
  ['two lengths, larger first', [`content-length: ${smuggled.length}`, 'content-length: 0'], smuggled],
  ['a list of lengths', [`content-length: 0, ${smuggled.length}`], smuggled],
  ['a length with a sign', ['content-length: +0'], smuggled],
  ['a negative length', ['content-length: -1'], smuggled],
  ['a hexadecimal length', ['content-length: 0x0'], smuggled],
  ['a length with a fraction', ['content-length: 0.0'], smuggled],
  ['a length beyond all numbers', ['content-length: 99999999999999999999999'], smuggled],
  ['an empty length', ['content-length:'], smuggled],
  ['a blank before the colon', [`content-length : ${smuggled.length}`], smuggled],
  ['a tab before the colon', [`transfer-encoding\t: chunked`, 'content-length: 3'], `0\r\n\r\n${smuggled}`],
  ['an unknown coding', ['transfer-encoding: xchunked', 'content-length: 3'], `0\r\n\r\n${smuggled}`],
  ['chunks that are not last', ['transfer-encoding: chunked, identity'], `0\r\n\r\n${smuggled}`],
  ['chunks twice', ['transfer-encoding: chunked, chunked'], `0\r\n\r\n${smuggled}`],
  ['two codings in two lines', ['transfer-encoding: identity', 'transfer-encoding: chunked'], `0\r\n\r\n${smuggled}`],
  ['a quoted coding', ['transfer-encoding: "chunked"', 'content-length: 5'], `0\r\n\r\n${smuggled}`],
  ['a coding after a form feed', ['transfer-encoding: \u000bchunked', 'content-length: 5'], `0\r\n\r\n${smuggled}`],
  ['a folded line', ['transfer-encoding:', ' chunked', 'content-length: 5'], `0\r\n\r\n${smuggled}`],
  ['a line feed alone', [`x-a: b\ntransfer-encoding: chunked`, 'content-length: 5'], `0\r\n\r\n${smuggled}`],
  ['a carriage return alone', [`x-a: b\rtransfer-encoding: chunked`, 'content-length: 5'], `0\r\n\r\n${smuggled}`],
  ['a zero byte', ['x-a: b\u0000', 'content-length: 0'], smuggled],
  ['a name with an underscore', ['transfer_encoding: chunked', `content-length: ${smuggled.length}`], smuggled],
  ['a chunk size that wraps', ['transfer-encoding: chunked'], `10000000000000000\r\n\r\n${smuggled}`],
  ['a negative chunk size', ['transfer-encoding: chunked'], `-1\r\n\r\n${smuggled}`],
  ['a chunk size in 0x', ['transfer-encoding: chunked'], `0x0\r\n\r\n${smuggled}`],
  ['a chunk ended by a line feed', ['transfer-encoding: chunked'], `0\n\n${smuggled}`],
  ['a chunk extension with a line feed', ['transfer-encoding: chunked'], `0;a\nb\r\n\r\n${smuggled}`],
  ['a chunk longer than it says', ['transfer-encoding: chunked'], `1\r\n{}X\r\n0\r\n\r\n${smuggled}`],
]

describe('a request that hides another', () => {
  let world: ChatWorld
  let key: string
  beforeAll(async () => {
    world = await startChatWorld()
    key = (await world.caller()).key
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  it.each(corpus)('gets one answer at most, and the hidden one none: %s', async (_name, lines, rest) => {
    const bytes = `${requestLine}authorization: Bearer ${key}\r\n${lines.join('\r\n')}\r\n\r\n${rest}`
    const { answers, text } = await exchangeRaw(world.gateway.url, Buffer.from(bytes, 'latin1'), 1_500)
    expect(answers.length).toBeLessThanOrEqual(1)
    for (const { status } of answers) expect([400, 415, 431]).toContain(status)
    expect(text).not.toContain('smuggled')
    expect(world.upstreamCalls()).toBe(0)
  })

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
