import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { isJsonObject, type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { recordingForm } from '#test/media/audio/recording-form.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { type Client, createClient } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { silence } from '#test/simulators/media/audio/audio-bytes.ts'

let gateway: TestGateway
let caller: TestClient
let client: Client

beforeAll(async () => {
  gateway = await startTestGateway()
  caller = await gateway.createClient({ usd: '0.01' })
  client = createClient(gateway.url, caller.key)
})
afterAll(() => gateway.close())

describe('test/priced', () => {
  it('is charged from the wallet at its price, and its receipt has the lines', async () => {
    const { json, headers } = await ask('one two three #usage=1000,500 #cached=100')
    // 900 × $0.000001 + 100 × $0.0000001 + 500 × $0.000002.
    expect(json['usage']).toMatchObject({ cost: 0.00191 })
    expect((await gateway.walletOf(caller.walletId)).charged).toBe('0.00191')
    const receipt = await client.get(`/v1/generation?id=${headers.get('x-generation-id')}`)
    expect(receipt.json['data']).toMatchObject({
      model: 'test/priced',
      refund_reason: null,
      total_cost: 0.00191,
      receipt: {
        lines: [
          { item: 'uncachedInput', count: 900, unit_price_usd: '0.000001' },
          { item: 'cacheRead', count: 100, unit_price_usd: '0.0000001' },
          { item: 'textOutput', count: 500, unit_price_usd: '0.000002' },
        ],
        total: 0.00191,
      },
    })
  })

  it('is refused with 402 where the wallet or the cap of the key cannot pay for it', async () => {
    const poor = await gateway.createClient({ usd: '0' })
    expect((await ask('hello', poor.key)).status).toBe(402)
    const capped = await gateway.createClient({ terms: { limit: parseUsd('0.000001') } })
    expect((await ask('hello', capped.key)).status).toBe(402)
  })
})

it('test/image makes a PNG of the size that was asked for', async () => {
  const { status, json } = await client.post('/v1/images/generations', {
    model: 'test/image',
    prompt: 'a weir',
    size: '640x480',
    n: 2,
  })
  expect(status).toBe(200)
  const images = listOf(json['data'])
  expect(images).toHaveLength(2)
  const [first = Buffer.alloc(0), second] = await Promise.all(
    images.map((image) => fetchImage(stringAt(image, 'url') ?? '')),
  )
  expect(first.equals(second ?? first)).toBe(false)
  expect([first.readUInt32BE(16), first.readUInt32BE(20)]).toEqual([640, 480])
  const pixels = first.indexOf('IDAT')
  expect(inflateSync(first.subarray(pixels + 4, pixels + 4 + first.readUInt32BE(pixels - 4)))).toHaveLength(641 * 480)
})

it('test/image makes an image of a conversation', async () => {
  const chat = await callChat({ url: gateway.url, key: caller.key }, { model: 'test/image' })
  expect(chat.status).toBe(200)
  expect(JSON.stringify(chat.json['choices'])).toContain('image')
})

it('test/embedding gives near vectors to texts that share words', async () => {
  const input = ['the river is deep', 'the river is wide', 'nothing alike at all']
  const { status, json } = await client.post('/v1/embeddings', { model: 'test/embedding', input, dimensions: 64 })
  expect(status).toBe(200)
  const [river, wide, other] = listOf(json['data']).map(({ embedding }) => numbersOf(embedding))
  expect(river).toHaveLength(64)
  expect(dot(river, river)).toBeCloseTo(1)
  expect(dot(river, wide)).toBeGreaterThan(dot(river, other))
  expect(json['usage']).toMatchObject({ cost: 0 })
})

it('test/rerank puts documents first that share words with the query', async () => {
  const documents = ['nothing alike', 'the river is deep', { text: 'the deep river' }]
  const body = { model: 'test/rerank', query: 'the deep river', documents, top_n: 2, return_documents: true }
  const { status, json } = await client.post('/v2/rerank', body)
  expect(status).toBe(200)
  expect(json).toMatchObject({
    results: [
      { index: 2, relevance_score: expect.closeTo(1), document: { text: 'the deep river' } },
      { index: 1, document: { text: 'the river is deep' } },
    ],
    // 27, 31 and 28 characters, with four in a token.
    usage: { prompt_tokens: 22, search_units: 1, cost: 0 },
  })
})

it('test/moderation flags the categories that a text names', async () => {
  const input = ['a calm day', 'Violence, and self-harm/intent']
  const { status, json } = await client.post('/v1/moderations', { model: 'test/moderation', input })
  expect(status).toBe(200)
  expect(json).toMatchObject({
    results: [
      { flagged: false, categories: { violence: false }, category_scores: { violence: 0 } },
      { flagged: true, categories: { violence: true, 'self-harm/intent': true, 'self-harm': false, hate: false } },
    ],
    // 10 and 30 characters, with four in a token.
    usage: { prompt_tokens: 11, cost: 0 },
  })
})

it('test/speech makes sound, and no other format than it can', async () => {
  const wav = await speak({})
  expect(wav.headers.get('content-type')).toBe('audio/wav')
  const bytes = Buffer.from(await wav.arrayBuffer())
  expect(bytes.toString('latin1', 0, 4)).toBe('RIFF')
  expect(bytes).toHaveLength(44 + 2 * 2_400 * 2)
  expect((await speak({ response_format: 'pcm' })).headers.get('content-type')).toBe('audio/pcm')
  expect((await speak({ response_format: 'mp3' })).status).toBe(400)
})

it('test/transcription answers with the prompt, and counts the seconds', async () => {
  const form = recordingForm({ model: 'test/transcription', prompt: 'what was said' }, { bytes: silence(1) })
  const { status, json } = await client.post('/v1/audio/transcriptions', form)
  expect([status, json['text']]).toEqual([200, 'what was said'])
})

it('test models of other kinds are refused on chat with the endpoint to use', async () => {
  const reply = await callChat({ url: gateway.url, key: caller.key }, { model: 'test/embedding' })
  expect(stringAt(objectAt(reply.json, 'error'), 'message')).toContain('/v1/embeddings')
})

it('lists test models of every kind, with their prices', async () => {
  const { json } = await client.get('/v1/models?output_modalities=all&available=true')
  const models = listOf(json['data'])
  const ids = models.map(({ id }) => id)
  for (const name of ['priced', 'image', 'embedding', 'rerank', 'moderation', 'speech', 'transcription', 'video']) {
    expect(ids).toContain(`test/${name}`)
  }
  const priced = models.find(({ id }) => id === 'test/priced') ?? {}
  expect(priced['pricing']).toMatchObject({ prompt: '1', completion: '2' })
})

function ask(content: string, key = caller.key) {
  return callChat({ url: gateway.url, key }, { model: 'test/priced', messages: [{ role: 'user', content }] })
}

function speak(body: JsonObject) {
  return client.open('POST', '/v1/audio/speech', { model: 'test/speech', voice: 'tone', input: 'one two', ...body })
}

/** The test gateway's host name does not resolve. */
async function fetchImage(url: string): Promise<Buffer> {
  const { pathname, search } = new URL(url)
  return Buffer.from(await (await fetch(gateway.url + pathname + search)).arrayBuffer())
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function numbersOf(value: unknown): number[] {
  return Array.isArray(value) ? value.map(Number) : []
}

function dot(one: readonly number[] = [], other: readonly number[] = []): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
}
