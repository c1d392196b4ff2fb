import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { hello } from '#test/setup/call-chat.ts'
import type { Reply } from '#test/setup/reply.ts'
import { gatedCompletion } from '#test/drills/setup/gated-stream.ts'

// A renewal would bring the lease of a request back that a test lets lapse.
let world: KeyWorld
beforeAll(async () => {
  world = await startKeyWorld({}, { WEIR_RETRIES_LEASE_MS: '600000' })
})
afterAll(() => world.close())
beforeEach(() => world.upstream.forget())

const key = 'one'
const body = { model: 'openai/gpt-5.2', messages: hello, max_tokens: 500 }

function send(as: TestClient): Promise<Reply> {
  return world.as(as).post('/v1/chat/completions', body, { headers: { 'idempotency-key': key } })
}

async function stateOf({ walletId }: TestClient): Promise<string | undefined> {
  const text = 'SELECT state FROM idempotent_answers WHERE wallet_id = $1'
  return (await world.pool.query<{ state: string }>(text, [walletId])).rows[0]?.state
}

/** Its gateway counts as dead from now on: while it runs, or as if it had died in an earlier state of its answer. */
async function abandon(client: TestClient, state: string | null = null): Promise<void> {
  const { walletId } = client
  // The gateway notes the end of an answer after it has sent it.
  if (state !== null) await expect.poll(() => stateOf(client)).toBe('settled')
  const text = `UPDATE idempotent_answers SET lease_until = now() - interval '1 s', state = coalesce($2, state)
    WHERE wallet_id = $1`
  await world.pool.query(text, [walletId, state])
}

async function chargesOf({ walletId }: TestClient): Promise<unknown[]> {
  const text = `SELECT amount_nano FROM ledger_transfers WHERE wallet_id = $1 AND kind = 'charge'`
  const { rows } = await world.pool.query(text, [walletId])
  return rows
}

describe('a retry of a request whose gateway counts as dead', () => {
  it('[NEXT-67] runs it again, and the first one cannot charge any more', async () => {
    const caller = await world.createClient({ usd: '25' })
    world.upstream.playNext(gatedCompletion('slow'))
    const slow = send(caller)
    await world.upstream.waitForGate('slow')
    await abandon(caller)
    const again = await send(caller)
    expect([again.status, again.headers.get('x-weir-replayed')]).toEqual([200, null])
    world.upstream.release('slow')
    expect(await slow).toMatchObject({ status: 200, json: { usage: { cost: 0 } } })
    expect(await chargesOf(caller)).toHaveLength(1)
    expect((await send(caller)).text).toBe(again.text)
    expect(world.upstream.requests).toHaveLength(2)
    await world.expectSoundBooks()
  })

  it('[NEXT-67] gets the stored answer if that was charged', async () => {
    const caller = await world.createClient({ usd: '25' })
    const first = await send(caller)
    await abandon(caller, 'written')
    const again = await send(caller)
    expect([again.text, again.headers.get('x-weir-replayed')]).toEqual([first.text, 'true'])
    expect(await chargesOf(caller)).toHaveLength(1)
    expect(world.upstream.requests).toHaveLength(1)
    await world.expectSoundBooks()
  })

  it('[NEXT-67] [NEXT-69] is not charged again if the answer is charged and incomplete', async () => {
    const caller = await world.createClient({ usd: '25' })
    expect((await send(caller)).status).toBe(200)
    await abandon(caller, 'running')
    const again = await send(caller)
    expect([again.status, again.error]).toMatchObject([409, { code: 'answer_not_stored' }])
    expect(await chargesOf(caller)).toHaveLength(1)
    await world.expectSoundBooks()
  })

  it('[NEXT-67] runs it once if many retries arrive together', async () => {
    const caller = await world.createClient({ usd: '25' })
    world.upstream.playNext(gatedCompletion('slow'))
    const slow = send(caller)
    await world.upstream.waitForGate('slow')
    const waiting = Array.from({ length: 8 }, () => send(caller))
    await abandon(caller)
    const texts = new Set((await Promise.all(waiting)).map(({ status, text }) => `${status} ${text}`))
    expect(texts.size).toBe(1)
    expect(world.upstream.requests).toHaveLength(2)
    world.upstream.release('slow')
    await slow
    expect(await chargesOf(caller)).toHaveLength(1)
    await world.expectSoundBooks()
  })
})
