import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { gatedCompletion } from '#test/drills/setup/gated-stream.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { vendorError } from '#test/simulators/scenarios/vendor-error.ts'
import { answerOf, missing, type ResponseWorld, startResponseWorld } from './response-world.ts'

// A renewal would bring the lease back that a test lets lapse.
let world: ResponseWorld
beforeAll(async () => {
  world = await startResponseWorld({ WEIR_RESPONSES_BACKGROUND_MAX: '6', WEIR_MONEY_LEASE_MS: '600000' })
})
afterAll(() => world.close())
beforeEach(() => {
  world.upstream.forget()
  world.upstream.play(answerOf('Hi'))
})

const statusOf = async (as: TestClient, id: string): Promise<unknown> => (await world.read(as, id)).json.status

/** Begins a request in the background that waits at its upstream. */
async function begin(as: TestClient, gate: string, headers: Record<string, string> = {}): Promise<string> {
  world.upstream.playNext(gatedCompletion(gate))
  const begun = await world.respond(as, { background: true }, headers)
  expect(begun.json, begun.text).toMatchObject({ status: 'queued', background: true, store: true, output: [] })
  await world.upstream.waitForGate(gate)
  return String(begun.json.id)
}

async function chargesOf({ walletId }: TestClient): Promise<number> {
  const text = `SELECT 1 FROM ledger_transfers WHERE wallet_id = $1 AND kind = 'charge'`
  return (await world.pool.query(text, [walletId])).rowCount ?? -1
}

/** The gateway of the response counts as dead from now on. */
async function abandon(id: string): Promise<void> {
  const text = `UPDATE stored_responses SET lease_until = clock_timestamp() - interval '1 ms'
    WHERE replace(id::text, '-', '') = $1 AND state = 'running'`
  expect((await world.pool.query(text, [id.slice('resp_'.length)])).rowCount).toBe(1)
}

describe('a request in the background', () => {
  it('[NEXT-230] is answered at once, and charged once when it ends', async () => {
    const caller = await world.createClient({ usd: '25' })
    const id = await begin(caller, 'slow')
    expect((await world.read(caller, id)).json).toMatchObject({ id, status: 'in_progress', output: [], usage: null })
    expect((await world.read(caller, id, '/input_items')).list).toMatchObject([{ content: [{ text: 'Hello' }] }])
    expect(Number((await world.walletOf(caller.walletId)).held)).toBeGreaterThan(0)
    world.upstream.release('slow')
    const ended = await world.ended(caller, id)
    expect(ended).toMatchObject({ id, status: 'completed', background: true, store: true, error: null })
    expect(ended.output).toMatchObject([{ type: 'message', content: [{ type: 'output_text' }] }])
    await world.settled()
    expect(await chargesOf(caller)).toBe(1)
    const receipt = await world.get(caller, `/v1/generation?id=gen-${id.slice('resp_'.length)}`)
    expect(ended.usage).toMatchObject({ cost: receipt.total_cost })
    await world.expectSoundBooks()
  })

  it('[NEXT-230] [NEXT-162] continues a response, and can be continued', async () => {
    const caller = await world.createClient({ usd: '25' })
    const first = await world.stored(caller)
    const begun = await world.respond(caller, { background: true, previous_response_id: first, input: 'More' })
    const ended = await world.ended(caller, String(begun.json.id))
    expect(ended).toMatchObject({ status: 'completed', previous_response_id: first })
    const next = await world.respond(caller, { previous_response_id: begun.json.id ?? null, input: 'On' })
    expect(next.status).toBe(200)
    expect(world.seen()).toMatchObject(['Hello', 'Hi', 'More', 'Hi', 'On'].map((content) => ({ content })))
  })

  it.each<[JsonObject, number, unknown]>([
    [{ stream: true }, 400, 400],
    [{ store: false }, 400, 400],
    [{ model: 'openai/unknown' }, 400, 'unknown_model'],
    [{ max_output_tokens: 0 }, 400, 'max_tokens_invalid'],
  ])('[NEXT-231] is rejected at once with %j', async (body, status, code) => {
    const caller = await world.createClient({ usd: '25' })
    const reply = await world.respond(caller, { background: true, ...body })
    expect([reply.status, reply.error.code]).toEqual([status, code])
    expect(world.upstream.requests).toHaveLength(0)
  })

  it('[NEXT-231] is rejected at once without credit', async () => {
    const caller = await world.createClient({ usd: '0.001' })
    const reply = await world.respond(caller, { background: true })
    expect([reply.status, reply.error.code]).toEqual([402, 'insufficient_credits'])
    const { rowCount } = await world.pool.query('SELECT 1 FROM stored_responses WHERE wallet_id = $1', [
      caller.walletId,
    ])
    expect(rowCount).toBe(0)
  })

  it('[NEXT-232] ends when it is cancelled, without a charge', async () => {
    const caller = await world.createClient({ usd: '25' })
    const id = await begin(caller, 'slow')
    const cancelled = await world.cancel(caller, id)
    expect([cancelled.status, cancelled.json]).toMatchObject([200, { id, status: 'cancelled', output: [] }])
    await world.settled()
    expect(await chargesOf(caller)).toBe(0)
    expect(await world.lastRecord(caller)).toMatchObject({ refund_reason: 'client_cancelled', cancelled: true })
    expect((await world.cancel(caller, id)).json).toEqual(cancelled.json)
    expect(await statusOf(caller, id)).toBe('cancelled')
    await world.expectSoundBooks()
  })

  it('[NEXT-232] ends when another gateway cancels it', async () => {
    const caller = await world.createClient({ usd: '25' })
    const id = await begin(caller, 'slow')
    const text = `UPDATE stored_responses SET state = 'cancelled', lease_until = NULL WHERE wallet_id = $1`
    await world.pool.query(text, [caller.walletId])
    await world.settled()
    expect(await chargesOf(caller)).toBe(0)
    expect(await statusOf(caller, id)).toBe('cancelled')
  })

  it('[NEXT-232] stays as it is if it has ended, and one with a client cannot be cancelled', async () => {
    const caller = await world.createClient({ usd: '25' })
    const begun = await world.respond(caller, { background: true })
    const ended = await world.ended(caller, String(begun.json.id))
    expect((await world.cancel(caller, String(begun.json.id))).json).toEqual(ended)
    expect((await world.cancel(caller, await world.stored(caller))).status).toBe(400)
    expect(await world.cancel(caller, 'resp_1')).toMatchObject(missing)
  })

  it('[NEXT-165] cannot be deleted while it runs', async () => {
    const caller = await world.createClient({ usd: '25' })
    const id = await begin(caller, 'slow')
    const path = `/v1/responses/${id}`
    expect((await world.as(caller).delete(path)).status).toBe(409)
    world.upstream.release('slow')
    await world.ended(caller, id)
    expect((await world.as(caller).delete(path)).status).toBe(200)
  })

  it('[NEXT-163] cannot be continued once it is cancelled, even if its answer was stored', async () => {
    const caller = await world.createClient({ usd: '25' })
    const begun = await world.respond(caller, { background: true })
    await world.ended(caller, String(begun.json.id))
    await world.pool.query(`UPDATE stored_responses SET state = 'cancelled' WHERE wallet_id = $1`, [caller.walletId])
    const next = await world.respond(caller, { previous_response_id: begun.json.id ?? null })
    expect([next.status, next.error.code]).toEqual([400, 'previous_response_not_found'])
    expect((await world.read(caller, String(begun.json.id))).json).toMatchObject({ status: 'cancelled', output: [] })
  })

  it('[NEXT-233] has failed once its gateway counts as dead, even if that goes on', async () => {
    const caller = await world.createClient({ usd: '25' })
    const id = await begin(caller, 'slow')
    await abandon(id)
    expect((await world.read(caller, id)).json).toMatchObject({ status: 'failed', error: { code: 'server_error' } })
    await world.settled()
    expect(await statusOf(caller, id)).toBe('failed')
    expect(await chargesOf(caller)).toBe(0)
    expect((await world.as(caller).delete(`/v1/responses/${id}`)).status).toBe(200)
    await world.expectSoundBooks()
  })

  it('[NEXT-233] is shown whole if it was charged before its gateway died', async () => {
    const caller = await world.createClient({ usd: '25' })
    const begun = await world.respond(caller, { background: true })
    const id = String(begun.json.id)
    const ended = await world.ended(caller, id)
    const text = `UPDATE stored_responses SET state = 'running', lease_until = clock_timestamp() - interval '1 s'
      WHERE wallet_id = $1`
    await world.pool.query(text, [caller.walletId])
    expect((await world.read(caller, id)).json).toEqual(ended)
  })

  it('[NEXT-234] fails with a code if no provider serves it', async () => {
    const caller = await world.createClient({ usd: '25' })
    world.upstream.play(vendorError('openai', 'server-error'))
    const begun = await world.respond(caller, { background: true })
    const ended = await world.ended(caller, String(begun.json.id))
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'server_is_overloaded' }, output: [], usage: null })
    await world.expectRefunded(caller)
    expect((await world.respond(caller, { previous_response_id: begun.json.id ?? null })).status).toBe(400)
  })

  it('[NEXT-235] leaves room for other wallets', async () => {
    const [caller, other] = [await world.createClient({ usd: '25' }), await world.createClient({ usd: '25' })]
    const ids = [await begin(caller, 'a'), await begin(caller, 'b')]
    const full = await world.respond(caller, { background: true })
    expect([full.status, full.headers.get('retry-after')]).toEqual([503, '5'])
    const theirs = await begin(other, 'c')
    for (const gate of ['a', 'b', 'c']) world.upstream.release(gate)
    for (const id of ids) await world.ended(caller, id)
    await world.ended(other, theirs)
    await world.settled()
    expect((await world.respond(caller, { background: true })).status).toBe(200)
    await world.expectSoundBooks()
  })

  it('[NEXT-236] runs once for one idempotency key', async () => {
    const caller = await world.createClient({ usd: '25' })
    const headers = { 'idempotency-key': 'one' }
    const id = await begin(caller, 'slow', headers)
    const retry = world.respond(caller, { background: true }, headers)
    world.upstream.release('slow')
    expect((await retry).json).toMatchObject({ id, status: 'completed' })
    expect((await retry).json).toEqual(await world.ended(caller, id))
    expect(world.upstream.requests).toHaveLength(1)
    await world.settled()
    expect(await chargesOf(caller)).toBe(1)
  })
})
