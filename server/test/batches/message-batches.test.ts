import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { gatedCompletion } from '#test/drills/setup/gated-stream.ts'
import { type BatchWorld, lineNano, patience, startBatchWorld } from './batch-world.ts'
import { jsonLines } from './json-lines.ts'

let world: BatchWorld
beforeAll(async () => {
  world = await startBatchWorld({ WEIR_BATCHES_LINES_AT_ONCE: '2' })
})
afterAll(() => world.close())
beforeEach(() => world.reset())

const path = '/v1/messages/batches'

function request(customId: string, params: JsonObject = {}): JsonObject {
  const message = { model: 'openai/gpt-5.2', max_tokens: 500, messages: [{ role: 'user', content: 'Hi' }], ...params }
  return { custom_id: customId, params: message }
}

async function start(as: { key: string }, requests: readonly JsonObject[]): Promise<string> {
  // As the official client sends its key.
  const created = await world.as().post(path, { requests: [...requests] }, { headers: { 'x-api-key': as.key } })
  expect(created.status, created.text).toBe(200)
  return String(created.json.id)
}

async function ended(as: { key: string }, id: string): Promise<JsonObject> {
  const read = async () => (await world.as(as).get(`${path}/${id}`)).json
  await expect.poll(async () => (await read()).processing_status, patience).toBe('ended')
  return read()
}

async function results(as: { key: string }, id: string): Promise<JsonObject[]> {
  const reply = await world.as(as).get(`${path}/${id}/results`)
  expect(reply.status, reply.text).toBe(200)
  expect(reply.headers.get('content-type')).toBe('application/x-jsonl')
  return jsonLines(reply.text)
}

describe('a batch of messages', () => {
  it('[NEXT-186] answers every request once, and shows errors beside', async () => {
    const client = await world.createClient({ usd: '25' })
    const id = await start(client, [request('one'), request('unknown', { model: 'openai/nothing' }), request('two')])
    expect(id).toMatch(/^msgbatch_[0-9a-f]{32}$/)
    expect(await ended(client, id)).toMatchObject({
      type: 'message_batch',
      request_counts: { processing: 0, succeeded: 2, errored: 1, canceled: 0, expired: 0 },
      results_url: `${path}/${id}/results`,
      cancel_initiated_at: null,
      archived_at: null,
    })
    expect(await results(client, id)).toMatchObject([
      { custom_id: 'one', result: { type: 'succeeded', message: { type: 'message', role: 'assistant' } } },
      {
        custom_id: 'unknown',
        result: { type: 'errored', error: { type: 'error', error: { type: expect.any(String) } } },
      },
      { custom_id: 'two', result: { type: 'succeeded' } },
    ])
    expect(await world.chargesOf(client)).toEqual([lineNano, lineNano])
    expect((await world.as(client).get('/v1/files')).json.data).toEqual([])
    await world.expectSoundBooks()
  })

  it('[NEXT-186] [NEXT-187] is cancelled, listed and deleted', async () => {
    const client = await world.createClient({ usd: '25' })
    world.upstream.play(gatedCompletion('slow'))
    const id = await start(
      client,
      ['a', 'b', 'c'].map((name) => request(name)),
    )
    await expect.poll(() => world.upstream.requests.length, patience).toBe(2)
    const running = [
      await world.as(client).get(`${path}/${id}/results`),
      await world.as(client).delete(`${path}/${id}`),
    ]
    expect(running.map(({ status }) => status)).toEqual([409, 409])
    const cancelled = await world.as(client).post(`${path}/${id}/cancel`)
    expect(cancelled.json).toMatchObject({ processing_status: 'canceling', request_counts: { processing: 3 } })
    world.upstream.release('slow')
    expect(await ended(client, id)).toMatchObject({ request_counts: { succeeded: 2, canceled: 1 } })
    const lines = await results(client, id)
    expect(lines.map(({ result }) => (result as JsonObject).type)).toEqual(['succeeded', 'succeeded', 'canceled'])
    expect(await world.chargesOf(client)).toHaveLength(2)
    world.reset()
    const next = await start(client, [request('d')])
    await ended(client, next)
    const list = async (query: string) => (await world.as(client).get(`${path}${query}`)).json
    expect(await list('?limit=1')).toMatchObject({
      data: [{ id: next }],
      has_more: true,
      first_id: next,
      last_id: next,
    })
    expect(await list(`?limit=1&after_id=${next}`)).toMatchObject({ data: [{ id }], has_more: false })
    expect(await list(`?limit=1&before_id=${id}`)).toMatchObject({ data: [{ id: next }], has_more: false })
    expect((await world.as(client).delete(`${path}/${id}`)).json).toEqual({ id, type: 'message_batch_deleted' })
    for (const gone of [`${path}/${id}`, `${path}/${id}/results`]) {
      expect((await world.as(client).get(gone)).json).toMatchObject({
        type: 'error',
        error: { type: 'not_found_error' },
      })
    }
    await world.expectSoundBooks()
  })

  it('[NEXT-188] ends with an error for each request if its worst cost does not fit', async () => {
    const client = await world.createClient({ usd: '0.007' })
    const id = await start(client, [request('one'), request('two')])
    expect(await ended(client, id)).toMatchObject({ request_counts: { succeeded: 0, errored: 2 } })
    for (const line of await results(client, id)) {
      expect(line).toMatchObject({ result: { type: 'errored', error: { error: { type: 'billing_error' } } } })
    }
    expect(world.upstream.requests).toEqual([])
    expect(await world.walletOf(client.walletId)).toMatchObject({ held: '0', charged: '0' })
  })

  it('[NEXT-186] is rejected with malformed requests', async () => {
    const client = await world.createClient({ usd: '25' })
    const refused = async (requests: unknown) => {
      const { status, json } = await world.as(client).post(path, { requests })
      return [status, json.type]
    }
    const wrong = [
      undefined,
      [],
      'text',
      ['text'],
      [request('')],
      [request('white space')],
      [request('twice'), request('twice')],
      [{ custom_id: 'one', params: 'text' }],
      [request('stream', { stream: true })],
    ]
    for (const requests of wrong) expect(await refused(requests)).toEqual([400, 'error'])
    expect((await world.as(client).get(path)).json.data).toEqual([])
  })
})
