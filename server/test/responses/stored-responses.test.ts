import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type JsonObject, objectAt } from '#lib/json.ts'
import { gatedCompletion } from '#test/drills/setup/gated-stream.ts'
import { vendorError } from '#test/simulators/scenarios/vendor-error.ts'
import { answerOf, missing, type ResponseWorld, startResponseWorld } from './response-world.ts'

let world: ResponseWorld
beforeAll(async () => {
  world = await startResponseWorld({ WEIR_TEST_MODELS_ENABLED: 'true' })
})
afterAll(() => world.close())
beforeEach(() => {
  world.upstream.forget()
  world.upstream.play(answerOf('Hi'))
})

const user = (content: string): JsonObject => ({ role: 'user', content })
const assistant = (content: string): unknown => expect.objectContaining({ role: 'assistant', content })
const unknownId = 'resp_01975f3e000070008000000000000000'

describe('a stored response', () => {
  it('[NEXT-161] [NEXT-164] is answered again as it was answered', async () => {
    const caller = await world.createClient({ usd: '25' })
    const first = await world.respond(caller, { store: true, metadata: { a: 'b' } })
    expect(first.json).toMatchObject({
      status: 'completed',
      store: true,
      background: false,
      previous_response_id: null,
    })
    const again = await world.read(caller, String(first.json.id))
    expect([again.status, again.json]).toEqual([200, first.json])
    expect(again.json.usage).toMatchObject({ cost: 0.006 })
    await world.expectSoundBooks()
  })

  it('[NEXT-161] [NEXT-164] is what the last event of a stream showed', async () => {
    const caller = await world.createClient({ usd: '25' })
    const streamed = await world.respond(caller, { store: true, stream: true })
    const last = objectAt(streamed.chunks.at(-1) ?? {}, 'response')
    expect(last).toMatchObject({ status: 'completed', store: true })
    expect((await world.read(caller, String(last.id))).json).toEqual(last)
  })

  it.each([{}, { store: false }, { store: null }])('[NEXT-161] is not made of %j', async (body) => {
    const caller = await world.createClient({ usd: '25' })
    const { json } = await world.respond(caller, body)
    expect(json.store).toBe(false)
    expect(await world.read(caller, String(json.id))).toMatchObject(missing)
  })

  it('[NEXT-165] is deleted with its input, once', async () => {
    const caller = await world.createClient({ usd: '25' })
    const id = await world.stored(caller)
    const deleted = await world.as(caller).delete(`/v1/responses/${id}`)
    expect([deleted.status, deleted.json]).toEqual([200, { id, object: 'response', deleted: true }])
    expect(await world.read(caller, id)).toMatchObject(missing)
    expect(await world.read(caller, id, '/input_items')).toMatchObject(missing)
    expect(await world.as(caller).delete(`/v1/responses/${id}`)).toMatchObject(missing)
    expect((await world.respond(caller, { previous_response_id: id })).error.code).toBe('previous_response_not_found')
  })

  it('[NEXT-166] lists its input by pages', async () => {
    const caller = await world.createClient({ usd: '25' })
    const id = await world.stored(caller, { input: ['a', 'b', 'c'].map(user) })
    const all = await world.read(caller, id, '/input_items?order=asc')
    expect(all.list.map(({ content }) => content)).toEqual(['a', 'b', 'c'])
    const ids = all.list.map((item) => item.id)
    expect(new Set(ids).size).toBe(3)
    expect(all.json).toMatchObject({ object: 'list', first_id: ids[0], last_id: ids[2], has_more: false })
    const page = await world.read(caller, id, '/input_items?limit=2')
    expect(page.json).toMatchObject({ first_id: ids[2], last_id: ids[1], has_more: true })
    const next = await world.read(caller, id, `/input_items?limit=2&after=${String(ids[1])}`)
    expect(next.json).toMatchObject({ first_id: ids[0], last_id: ids[0], has_more: false })
    for (const bad of ['limit=0', 'limit=101', 'order=up', 'after=msg_unknown']) {
      expect((await world.read(caller, id, `/input_items?${bad}`)).status, bad).toBe(400)
    }
  })

  it('[NEXT-164] cannot be streamed', async () => {
    const caller = await world.createClient({ usd: '25' })
    expect((await world.read(caller, await world.stored(caller), '?stream=true')).status).toBe(400)
  })

  it('[NEXT-169] is not made of a failure', async () => {
    const caller = await world.createClient({ usd: '25' })
    world.upstream.play(vendorError('openai', 'server-error'))
    const failed = await world.respond(caller, { store: true })
    expect(failed.status).toBeGreaterThanOrEqual(500)
    const id = `resp_${String(failed.headers.get('x-generation-id')).slice('gen-'.length)}`
    expect(await world.read(caller, id)).toMatchObject(missing)
    await world.expectRefunded(caller)
  })
})

describe('an incomplete response', () => {
  it('[NEXT-161] is stored and continued if it reached its cap', async () => {
    const caller = await world.createClient({ usd: '25' })
    const id = await world.stored(caller, { model: 'test/length' })
    expect((await world.read(caller, id)).json).toMatchObject({ status: 'incomplete' })
    expect((await world.respond(caller, { previous_response_id: id })).status).toBe(200)
  })

  it('[NEXT-169] is neither stored nor continued if it was blocked', async () => {
    const caller = await world.createClient({ usd: '25' })
    const blocked = { model: 'test/content-filter' }
    expect(await world.read(caller, await world.stored(caller, blocked))).toMatchObject(missing)
    const begun = await world.respond(caller, { ...blocked, background: true })
    const id = String(begun.json.id)
    expect(await world.ended(caller, id)).toMatchObject({ incomplete_details: { reason: 'content_filter' } })
    expect((await world.respond(caller, { previous_response_id: id })).error.code).toBe('previous_response_not_found')
  })
})

describe('a previous response', () => {
  it('[NEXT-162] gives its conversation, and not its instructions', async () => {
    const caller = await world.createClient({ usd: '25' })
    const first = await world.stored(caller, { instructions: 'Be brief.' })
    world.upstream.play(answerOf('Well'))
    const second = await world.respond(caller, { store: true, input: 'How are you?', previous_response_id: first })
    expect(second.json).toMatchObject({ status: 'completed', previous_response_id: first, store: true })
    expect(world.seen()).toEqual([user('Hello'), assistant('Hi'), user('How are you?')])
    const third = await world.respond(caller, { input: 'Good.', previous_response_id: second.json.id ?? null })
    expect(third.status).toBe(200)
    const whole = [user('Hello'), assistant('Hi'), user('How are you?'), assistant('Well'), user('Good.')]
    expect(world.seen()).toEqual(whole)
    const { list } = await world.read(caller, String(second.json.id), '/input_items?order=asc')
    expect(list.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('[NEXT-162] continues a streamed one with calls of tools', async () => {
    const caller = await world.createClient({ usd: '25' })
    const tools = [{ type: 'function', name: 'get_time', parameters: { type: 'object' } }]
    const streamed = await world.respond(caller, { model: 'test/tools', store: true, stream: true, tools })
    const { id, output } = objectAt(streamed.chunks.at(-1) ?? {}, 'response')
    const [call] = Array.isArray(output)
      ? output.filter((item) => objectAt({ item }, 'item').type === 'function_call')
      : []
    const result = {
      type: 'function_call_output',
      call_id: objectAt({ call: call ?? null }, 'call').call_id ?? null,
      output: '12:00',
    }
    const next = await world.respond(caller, { previous_response_id: id ?? null, input: [result] })
    expect(next.status, next.text).toBe(200)
    expect(world.seen()).toMatchObject([
      user('Hello'),
      { role: 'assistant', tool_calls: [{}] },
      { role: 'tool', content: '12:00' },
    ])
  })

  it('[NEXT-165] may be deleted after it was continued', async () => {
    const caller = await world.createClient({ usd: '25' })
    const first = await world.stored(caller)
    const second = await world.stored(caller, { previous_response_id: first, input: 'More' })
    expect((await world.as(caller).delete(`/v1/responses/${first}`)).status).toBe(200)
    expect((await world.respond(caller, { previous_response_id: second, input: 'On' })).status).toBe(200)
    expect(world.seen()).toEqual([user('Hello'), assistant('Hi'), user('More'), assistant('Hi'), user('On')])
  })

  it.each([unknownId, 'resp_1', '', 'gen-x', unknownId.toUpperCase()])(
    '[NEXT-163] that is unknown (%j) is rejected without an upstream call',
    async (previous_response_id) => {
      const caller = await world.createClient({ usd: '25' })
      const { status, error } = await world.respond(caller, { previous_response_id })
      expect([status, error.code]).toEqual([400, 'previous_response_not_found'])
      expect(world.upstream.requests).toHaveLength(0)
      expect((await world.walletOf(caller.walletId)).charged).toBe('0')
    },
  )

  it('[NEXT-163] that is in progress is rejected', async () => {
    const caller = await world.createClient({ usd: '25' })
    world.upstream.playNext(gatedCompletion('slow'))
    const begun = await world.respond(caller, { background: true })
    await world.upstream.waitForGate('slow')
    const next = await world.respond(caller, { previous_response_id: begun.json.id ?? null })
    expect([next.status, next.error.code]).toEqual([400, 'previous_response_not_found'])
    world.upstream.release('slow')
    await world.ended(caller, String(begun.json.id))
  })

  it('[NEXT-162] counts in the hold', async () => {
    const caller = await world.createClient({ usd: '0.0200' })
    const first = await world.stored(caller, { input: 'word '.repeat(4_000) })
    const alone = await world.respond(caller, { input: 'More' })
    expect(alone.status).toBe(200)
    const whole = await world.respond(caller, { input: 'More', previous_response_id: first })
    expect([whole.status, whole.error.code]).toEqual([402, 'insufficient_credits'])
    await world.expectSoundBooks()
  })

  it('[NEXT-162] is quoted as it is held', async () => {
    const caller = await world.createClient({ usd: '25' })
    const first = await world.stored(caller, { input: 'word '.repeat(4_000) })
    const body = { model: 'openai/gpt-5.2', input: 'More', max_output_tokens: 500, store: true }
    const quote = (more: JsonObject) => world.as(caller).post('/v1/quote?endpoint=/v1/responses', { ...body, ...more })
    const [short, long] = [await quote({}), await quote({ previous_response_id: first })]
    expect([short.status, long.status]).toEqual([200, 200])
    expect(Number(long.json.hold)).toBeGreaterThan(Number(short.json.hold))
    expect((await quote({ previous_response_id: unknownId })).error.code).toBe('previous_response_not_found')
  })
})
