import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { gatedCompletion } from '#test/drills/setup/gated-stream.ts'
import { vendorError } from '#test/simulators/scenarios/vendor-error.ts'
import { type BatchWorld, chatLine, lineNano, patience, startBatchWorld } from './batch-world.ts'

let world: BatchWorld
beforeAll(async () => {
  world = await startBatchWorld({ WEIR_BATCHES_LINES_MAX: '20', WEIR_BATCHES_OPEN_MAX: '2' })
})
afterAll(() => world.close())
beforeEach(() => world.reset())

const ids = (count: number): string[] => Array.from({ length: count }, (_, line) => `line-${line + 1}`)

describe('a batch', () => {
  it('[NEXT-174] [NEXT-179] answers every line once, at the list price, with receipts', async () => {
    const client = await world.createClient({ usd: '25' })
    const id = await world.start(
      client,
      ids(9).map((customId) => chatLine(customId)),
      { metadata: { kind: 'test' } },
    )
    const batch = await world.ended(client, id)
    expect(batch).toMatchObject({
      object: 'batch',
      status: 'completed',
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
      request_counts: { total: 9, completed: 9, failed: 0 },
      metadata: { kind: 'test' },
      errors: null,
      error_file_id: null,
    })
    const results = await world.results(client, batch.output_file_id)
    expect(results.map(({ custom_id: customId }) => customId)).toEqual(ids(9))
    for (const result of results) {
      expect(result).toMatchObject({
        error: null,
        response: { status_code: 200, body: { object: 'chat.completion', usage: { cost: 0.006 } } },
      })
    }
    expect(await world.chargesOf(client)).toEqual(Array.from({ length: 9 }, () => lineNano))
    const [first] = results
    const { request_id: requestId } = (first?.response ?? {}) as { request_id?: string }
    const receipt = await world.as(client).get(`/v1/generation?id=${requestId}`)
    expect([receipt.status, receipt.json]).toMatchObject([200, { data: { total_cost: 0.006 } }])
    expect(await world.walletOf(client.walletId)).toMatchObject({ held: '0', charged: '0.054' })
    await world.expectSoundBooks()
  })

  it('[NEXT-174] serves the other endpoints, and is listed in pages', async () => {
    const client = await world.createClient({ usd: '25' })
    const endpoint = '/v1/responses'
    const line = {
      custom_id: 'one',
      method: 'POST',
      url: endpoint,
      body: { model: 'openai/gpt-5.2', input: 'Hi', max_output_tokens: 500 },
    }
    const id = await world.start(client, [line], { endpoint })
    const batch = await world.ended(client, id)
    expect(await world.results(client, batch.output_file_id)).toMatchObject([
      { response: { status_code: 200, body: { object: 'response', status: 'completed' } } },
    ])
    const next = await world.start(client, [line], { endpoint })
    await world.ended(client, next)
    const page = await world.as(client).get('/v1/batches?limit=1')
    expect(page.json).toMatchObject({
      object: 'list',
      data: [{ id: next }],
      first_id: next,
      last_id: next,
      has_more: true,
    })
    const rest = await world.as(client).get(`/v1/batches?limit=1&after=${next}`)
    expect(rest.json).toMatchObject({ data: [{ id }], has_more: false })
  })

  it('[NEXT-175] fails with the number of each wrong line, and runs none', async () => {
    const client = await world.createClient({ usd: '25' })
    const good = chatLine('good')
    const id = await world.start(client, [
      good,
      '{"custom_id":',
      '[]',
      { ...good, custom_id: '' },
      good,
      { ...good, custom_id: 'method', method: 'GET' },
      { ...good, custom_id: 'url', url: '/v1/embeddings' },
      { ...good, custom_id: 'body', body: 'text' },
      chatLine('stream', { stream: true }),
      chatLine('background', { background: true }),
      chatLine('continued', { previous_response_id: 'resp_1' }),
      '{"custom_id":"proto","method":"POST","url":"/v1/chat/completions","body":{"__proto__":{}}}',
    ])
    const batch = await world.ended(client, id)
    expect(batch).toMatchObject({
      status: 'failed',
      output_file_id: null,
      errors: {
        object: 'list',
        data: [
          { line: 2, code: 'invalid_json_line' },
          { line: 3, code: 'invalid_json_line' },
          { line: 4, code: 'invalid_custom_id', param: 'custom_id' },
          { line: 5, code: 'duplicate_custom_id', param: 'custom_id' },
          { line: 6, code: 'invalid_method', param: 'method' },
          { line: 7, code: 'mismatched_url', param: 'url' },
          { line: 8, code: 'invalid_request', param: 'body' },
          { line: 9, code: 'invalid_request', param: 'body.stream' },
          { line: 10, code: 'invalid_request', param: 'body.background' },
          { line: 11, code: 'invalid_request', param: 'body.previous_response_id' },
          { line: 12, code: 'invalid_json_line' },
        ],
      },
    })
    expect(world.upstream.requests).toEqual([])
    expect(await world.chargesOf(client)).toEqual([])
  })

  it('[NEXT-176] fails without a line, and with too many', async () => {
    const client = await world.createClient({ usd: '25' })
    const empty = await world.ended(client, await world.start(client, ['', ' \t']))
    expect(empty).toMatchObject({ status: 'failed', errors: { data: [{ code: 'empty_file', line: null }] } })
    const many = await world.ended(
      client,
      await world.start(
        client,
        ids(21).map((customId) => chatLine(customId)),
      ),
    )
    expect(many).toMatchObject({ status: 'failed', errors: { data: [{ code: 'too_many_requests' }] } })
    expect(world.upstream.requests).toEqual([])
  })

  it('[NEXT-178] puts rejected and failed lines in the error file, for nothing', async () => {
    const client = await world.createClient({ usd: '25' })
    world.upstream.playNext(vendorError('openai', 'context-too-long'))
    const lines = [
      chatLine('unknown', { model: 'openai/nothing' }),
      chatLine('malformed', { messages: [] }),
      chatLine('one'),
      chatLine('other'),
    ]
    const batch = await world.ended(client, await world.start(client, lines))
    expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 4, completed: 1, failed: 3 } })
    const errors = await world.results(client, batch.error_file_id)
    // One of the two goes to the upstream first, and fails there.
    expect(await world.results(client, batch.output_file_id)).toHaveLength(1)
    expect(errors).toMatchObject([
      { custom_id: 'unknown', response: { status_code: 400, body: { error: { code: 'unknown_model' } } } },
      { custom_id: 'malformed', response: { status_code: 400, body: { error: { code: 400 } } } },
      { response: { status_code: 400, body: { error: { code: 'context_too_long' } } }, error: null },
    ])
    expect(await world.chargesOf(client)).toEqual([lineNano])
    await world.expectSoundBooks()
  })

  it('[NEXT-181] starts no further line once it is cancelled', async () => {
    const client = await world.createClient({ usd: '25' })
    world.upstream.play(gatedCompletion('slow'))
    const id = await world.start(
      client,
      ids(9).map((customId) => chatLine(customId)),
    )
    await expect.poll(() => world.upstream.requests.length, patience).toBe(4)
    const cancelled = await world.as(client).post(`/v1/batches/${id}/cancel`)
    expect([cancelled.status, cancelled.json.status]).toEqual([200, 'cancelling'])
    expect((await world.batch(client, id)).status).toBe('cancelling')
    world.upstream.release('slow')
    const batch = await world.ended(client, id)
    expect(batch).toMatchObject({ status: 'cancelled', request_counts: { total: 9, completed: 4, failed: 0 } })
    const [done, rest] = await Promise.all([
      world.results(client, batch.output_file_id),
      world.results(client, batch.error_file_id),
    ])
    expect(done.map(({ custom_id: customId }) => customId)).toEqual(ids(4))
    expect(rest.map(({ custom_id: customId }) => customId)).toEqual(ids(9).slice(4))
    for (const line of rest) expect(line).toMatchObject({ response: null, error: { code: 'batch_cancelled' } })
    expect(await world.chargesOf(client)).toHaveLength(4)
    expect((await world.as(client).post(`/v1/batches/${id}/cancel`)).status).toBe(409)
    await world.expectSoundBooks()
  })

  it('[NEXT-192] is rejected beyond the number of open batches', async () => {
    const client = await world.createClient({ usd: '25' })
    world.upstream.play(gatedCompletion('open'))
    const [one, two] = await Promise.all([
      world.start(client, [chatLine('one')]),
      world.start(client, [chatLine('two')]),
    ])
    await expect(world.start(client, [chatLine('three')])).rejects.toThrow('too_many_batches')
    await expect.poll(() => world.upstream.requests.length, patience).toBe(2)
    world.upstream.release('open')
    await world.ended(client, one)
    await world.ended(client, two)
  })
})
