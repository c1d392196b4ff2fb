import { rename, writeFile, appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import { createPostgresEventCursors } from '#store/postgres/events/postgres-event-cursors.ts'
import { eventually } from '#test/videos/webhook-deliveries.ts'
import { createEventsWorld, type EventsWorld, fileIds, lineIds, spanIds } from './events-world.ts'
import { attributesOf, readSpans } from './otlp-form.ts'

const startedAtMs = Date.UTC(2026, 2, 4, 5, 6, 7, 89)
const memberId = newUuid(startedAtMs)
const teamId = newUuid(startedAtMs)
const organizationId = newUuid(startedAtMs)
const userId = newUuid(startedAtMs)
const full = {
  startedAtMs,
  memberId,
  teamId,
  organizationId,
  userId,
  appName: 'an "editor"',
  endUser: 'ada',
  model: 'google/gemini',
  provider: 'google-vertex',
  attempts: [
    { model: 'google/gemini', provider: 'openai', account: 'first', outcome: 'timeout', status: null, durationMs: 9 },
    {
      model: 'google/gemini',
      provider: 'google-vertex',
      account: 'eu',
      outcome: 'answered',
      status: 200,
      durationMs: 9,
    },
  ],
  upstreamModel: 'gemini-001',
  streamed: true,
  isFailover: true,
  firstTokenMs: 250,
  durationMs: 1_500,
  cost: nanoUsd(1_000_000_000_000_000_001n),
  cacheDiscount: nanoUsd(7n),
  usage: {
    ...noUsage,
    uncachedInput: 1,
    cacheRead: 20,
    cacheWrite5m: 300,
    cacheWrite1h: 4_000,
    textOutput: 5,
    reasoningOutput: 60,
    imageOutput: 700,
    media: { inputImageTokens: 9, outputImages: 2, webSearches: 3, citationTokens: 8, variant: { size: 'large' } },
  },
} as const

describe('events of settled requests', () => {
  let world: EventsWorld
  beforeAll(async () => {
    world = await createEventsWorld()
  })
  afterAll(() => world.close())

  it('are spans in the JSON form of OTLP, by the semantic conventions for generative AI', async () => {
    const collector = await world.receive((_call, response) => void response.end('{}'))
    const worker = world.start({
      WEIR_EVENTS_OTLP_URL: `${collector.url}/v1/traces?tenant=1`,
      WEIR_EVENTS_OTLP_HEADERS: 'X-Api-Key: one-secret, authorization:Bearer another',
      WEIR_EVENTS_NDJSON_FILE: join(world.folder, 'unused'),
    })
    await eventually(async () => (await world.sinkRow('otlp')) !== undefined, true)
    const [id = ''] = await world.settleSome(1, full)
    await eventually(() => collector.calls.length, 1)
    const [call] = collector.calls
    expect(call?.path).toBe('/v1/traces?tenant=1')
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-api-key': 'one-secret',
      authorization: 'Bearer another',
    })
    const [span = {}] = readSpans(call?.body ?? '')
    const hex = id.slice('gen-'.length)
    expect(span).toMatchObject({
      traceId: hex,
      spanId: hex.slice(16),
      name: 'chat google/gemini',
      kind: 3,
      startTimeUnixNano: `${startedAtMs}000000`,
      endTimeUnixNano: `${startedAtMs + 1_500}000000`,
    })
    expect(span['status']).toBeUndefined()
    expect(attributesOf(span)).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'gcp.vertex_ai',
      'gen_ai.request.model': 'google/gemini',
      'gen_ai.request.stream': true,
      'gen_ai.response.id': id,
      'gen_ai.response.model': 'gemini-001',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.response.time_to_first_chunk': 0.25,
      'gen_ai.usage.input_tokens': 4_330n,
      'gen_ai.usage.output_tokens': 765n,
      'gen_ai.usage.cache_read.input_tokens': 20n,
      'gen_ai.usage.cache_write.input_tokens': 4_300n,
      'gen_ai.usage.reasoning.output_tokens': 60n,
      'gen_ai.usage.image.input_tokens': 9n,
      'weir.web_searches': 3n,
      'weir.citation_tokens': 8n,
      'weir.cost_nano_usd': full.cost,
      'weir.organization.id': organizationId,
      'weir.app': 'an "editor"',
      'weir.provider.account': 'eu',
      'weir.failover': true,
      'weir.cancelled': false,
    })
    // The digits themselves, because a parsed number has lost some of them.
    expect(call?.body).toContain('{"key":"weir.cost_usd","value":{"doubleValue":1000000000.000000001}}')
    await worker.stop()
  })

  it('are errors where the caller got one, with the reason as their type', async () => {
    const collector = await world.receive((_call, response) => void response.end('{}'))
    const worker = world.start({ WEIR_EVENTS_OTLP_URL: collector.url })
    await eventually(async () => (await world.sinkRow('otlp')) !== undefined, true)
    const outcomes = [
      { refundReason: 'upstream_failed', provider: null, finishReason: null },
      { refundReason: 'upstream_rejected', finishReason: null },
      { refundReason: 'client_cancelled', finishReason: null },
      { refundReason: 'free_tier' },
      { refundReason: 'own_key', endpoint: 'embeddings', finishReason: null },
      { refundReason: 'zero_usage', endpoint: 'image_edits', finishReason: null },
    ] as const
    for (const outcome of outcomes) await world.settleSome(1, outcome)
    await eventually(() => spanIds(collector).length, outcomes.length)
    const spans = collector.calls.flatMap(({ body }) => readSpans(body))
    const seen = spans.map((span) => {
      const attributes = attributesOf(span)
      const names = ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.response.finish_reasons', 'error.type']
      return [span['status'] ?? null, ...names.map((name) => attributes[name])]
    })
    expect(seen).toEqual([
      [{ code: 2, message: 'upstream_failed' }, 'chat', 'weir', ['error'], 'upstream_failed'],
      [{ code: 2, message: 'upstream_rejected' }, 'chat', 'openai', ['error'], 'upstream_rejected'],
      [null, 'chat', 'openai', ['error'], undefined],
      [null, 'chat', 'openai', ['stop'], undefined],
      [null, 'embeddings', 'openai', undefined, undefined],
      [{ code: 2, message: 'zero_usage' }, 'generate_content', 'openai', undefined, 'zero_usage'],
    ])
    await worker.stop()
  })

  it('are lines of JSON with exact money, the same to a URL and in a file', async () => {
    const receiver = await world.receive()
    const path = join(world.folder, 'made/if/missing', 'events.ndjson')
    const worker = world.start({
      WEIR_EVENTS_NDJSON_URL: receiver.url,
      WEIR_EVENTS_NDJSON_FILE: path,
      WEIR_EVENTS_NDJSON_HEADERS: 'x-token: t',
    })
    await eventually(async () => (await world.sinkRow('ndjson-http')) !== undefined, true)
    const [id = ''] = await world.settleSome(1, full)
    await eventually(() => receiver.calls.length, 1)
    await eventually(() => fileIds(path), [id])
    const [call] = receiver.calls
    expect(call?.headers).toMatchObject({ 'content-type': 'application/x-ndjson', 'x-token': 't' })
    expect(await readFile(path, 'utf8')).toBe(call?.body)
    expect(call?.json).toEqual({
      id,
      created_at: '2026-03-04T05:06:07.089Z',
      settled_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      wallet_id: expect.any(String),
      organization_id: organizationId,
      member_id: memberId,
      team_id: teamId,
      user_id: userId,
      key_id: expect.any(String),
      customer_id: null,
      tags: null,
      end_user: 'ada',
      app: 'an "editor"',
      endpoint: 'chat',
      model: 'google/gemini',
      provider: 'google-vertex',
      account: 'eu',
      upstream_model: 'gemini-001',
      status: 200,
      finish_reason: 'stop',
      streamed: true,
      cancelled: false,
      is_byok: false,
      is_failover: true,
      duration_ms: 1_500,
      first_token_ms: 250,
      usage: {
        uncached_input: 1,
        cache_read: 20,
        cache_write_5m: 300,
        cache_write_1h: 4_000,
        audio_input: 0,
        text_output: 5,
        reasoning_output: 60,
        image_output: 700,
        audio_output: 0,
        output_images: 2,
        input_image_tokens: 9,
        web_searches: 3,
        citation_tokens: 8,
      },
      prompt_tokens: 4_330,
      completion_tokens: 765,
      cost_usd: '1000000000.000000001',
      cache_discount_usd: '0.000000007',
      refund_reason: null,
    })
    await worker.stop()
  })

  it('are of this sink from its beginning on, or from that of everything, and forgotten with it', async () => {
    const [late, all] = [await world.receive(), await world.receive()]
    const none = world.start({})
    await eventually(async () => (await world.sinkRow('ndjson-http')) ?? null, null)
    await none.stop()
    const before = await world.settleSome(3)
    const first = world.start({ WEIR_EVENTS_NDJSON_URL: late.url })
    await eventually(async () => (await world.sinkRow('ndjson-http')) !== undefined, true)
    const after = await world.settleSome(2)
    await eventually(() => lineIds(late).toSorted(), after.toSorted())
    await first.stop()
    const second = world.start({ WEIR_EVENTS_OTLP_URL: all.url, WEIR_EVENTS_FROM_START: 'true' })
    await eventually(() => spanIds(all).filter((id) => [...before, ...after].includes(id)).length, 5)
    expect(await world.sinkRow('ndjson-http')).toBeUndefined()
    expect(second.logLines).toContainEqual(expect.objectContaining({ sinks: ['ndjson-http'] }))
    await second.stop()
  })

  it('leave only when they are in the sums of usage', async () => {
    const cursors = createPostgresEventCursors(world.database.pool)
    await cursors.keep(['test'], { fromStart: false })
    const walletId = await world.newWallet()
    await world.settle([{ walletId, keyId: walletId, startedAtMs }])
    const countNext = (): Promise<number | null> =>
      cursors.withTurn('test', async (turn) => (await turn.read(10)).events.length)
    expect(await countNext()).toBeNull()
    await world.rollUpAll()
    expect(await countNext()).toBe(1)
  })

  it('leave in batches of whole transactions, in the order in which they were settled', async () => {
    const receiver = await world.receive()
    const groups: string[][] = []
    const idle = world.start({ WEIR_EVENTS_NDJSON_URL: receiver.url })
    await eventually(async () => (await world.sinkRow('ndjson-http')) !== undefined, true)
    await idle.stop()
    for (const count of [2, 2, 5, 1]) groups.push(await world.settleSome(count))
    const worker = world.start({ WEIR_EVENTS_NDJSON_URL: receiver.url, WEIR_EVENTS_BATCH: '3' })
    await eventually(() => lineIds(receiver).length, 10)
    const batches = receiver.calls.map(({ body }) => body.trimEnd().split('\n').length)
    expect(batches).toEqual([4, 5, 1])
    expect(lineIds(receiver)).toEqual(groups.flatMap((group) => group.toSorted()))
    await worker.stop()
  })

  it('are appended to a file that may be renamed away, and finish a line that a crash has torn', async () => {
    const path = join(world.folder, 'rotated.ndjson')
    const worker = world.start({ WEIR_EVENTS_NDJSON_FILE: path })
    await eventually(async () => (await world.sinkRow('ndjson-file')) !== undefined, true)
    const first = await world.settleSome(1, { appName: 'ä' })
    await eventually(() => fileIds(path), first)
    await rename(path, `${path}.1`)
    const second = await world.settleSome(2, { appName: 'ä' })
    await eventually(async () => (await fileIds(path)).toSorted(), second.toSorted())
    expect(await fileIds(`${path}.1`)).toEqual(first)
    await worker.stop()

    // The second line broke off within a character, and the cursor had not moved.
    const written = await readFile(path)
    await writeFile(path, written.subarray(0, written.lastIndexOf(Buffer.from('ä')) + 1))
    await world.database.pool.query('UPDATE event_sinks SET sent_below = 1')
    const again = world.start({ WEIR_EVENTS_NDJSON_FILE: path, WEIR_EVENTS_BATCH: '5000' })
    await eventually(async () => (await fileIds(path).catch(() => [])).length > 3, true)
    expect((await fileIds(path)).slice(0, 2)).toEqual(second.toSorted())
    // A foreign line is not completed, but the next one starts on a new line.
    await appendFile(path, 'a note without an end')
    const [third = ''] = await world.settleSome(1)
    await eventually(
      async () => (await readFile(path, 'utf8')).includes(`a note without an end\n{"id":"${third}"`),
      true,
    )
    await again.stop()
  })
})
