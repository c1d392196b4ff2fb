import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { gatedCompletion } from '#test/drills/setup/gated-stream.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { type BatchWorld, chatLine, patience, startBatchWorld } from './batch-world.ts'

// A renewal would bring the leases back that a test lets lapse.
let world: BatchWorld
beforeAll(async () => {
  world = await startBatchWorld({
    WEIR_BATCHES_LEASE_MS: '600000',
    WEIR_RETRIES_LEASE_MS: '600000',
    WEIR_BATCHES_AT_ONCE: '4',
  })
})
afterAll(() => world.close())
beforeEach(() => world.reset())

const lines = ['one', 'two', 'three'].map((customId) => chatLine(customId))

/** The gateway that runs the batch counts as dead from now on. */
async function abandon({ walletId }: TestClient): Promise<void> {
  await world.pool.query(`UPDATE batches SET lease_until = '-infinity' WHERE wallet_id = $1`, [walletId])
}

async function claimOf({ walletId }: TestClient): Promise<string | undefined> {
  const text = 'SELECT claim FROM batches WHERE wallet_id = $1'
  return (await world.pool.query<{ claim: string }>(text, [walletId])).rows[0]?.claim
}

async function expectWhole(client: TestClient, id: string): Promise<void> {
  const batch = await world.ended(client, id)
  expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 3, completed: 3, failed: 0 } })
  const results = await world.results(client, batch.output_file_id)
  expect(results.map(({ custom_id: customId }) => customId)).toEqual(['one', 'two', 'three'])
  expect(await world.chargesOf(client)).toHaveLength(3)
  await world.expectSoundBooks()
}

describe('a batch whose gateway counts as dead', () => {
  it('[NEXT-183] is continued, and lines that still run there are answered once', async () => {
    const client = await world.createClient({ usd: '25' })
    world.upstream.play(gatedCompletion('slow'))
    const id = await world.start(client, lines)
    await expect.poll(() => world.upstream.requests.length, patience).toBe(3)
    const before = await claimOf(client)
    await abandon(client)
    await expect.poll(() => claimOf(client), patience).not.toBe(before)
    world.upstream.release('slow')
    await expectWhole(client, id)
    expect(world.upstream.requests).toHaveLength(3)
  })

  it('[NEXT-183] runs the lines again that died there, and charges the second run alone', async () => {
    const client = await world.createClient({ usd: '25' })
    world.upstream.play(gatedCompletion('dead'))
    const id = await world.start(client, lines)
    await expect.poll(() => world.upstream.requests.length, patience).toBe(3)
    await world.pool.query(`UPDATE idempotent_answers SET lease_until = now() - interval '1 s' WHERE wallet_id = $1`, [
      client.walletId,
    ])
    await abandon(client)
    await expect.poll(() => world.upstream.requests.length, patience).toBe(6)
    world.upstream.release('dead')
    await expectWhole(client, id)
  })

  it('[NEXT-183] does not run a line again whose stored answer may have expired', async () => {
    const client = await world.createClient({ usd: '25' })
    world.upstream.play(gatedCompletion('old'))
    const id = await world.start(client, lines)
    await expect.poll(() => world.upstream.requests.length, patience).toBe(3)
    await world.pool.query(
      `UPDATE batch_lines l SET started_at = now() - interval '1 day' FROM batches b
       WHERE b.id = l.batch_id AND b.wallet_id = $1 AND l.line = 1`,
      [client.walletId],
    )
    await abandon(client)
    await expect
      .poll(async () => (await world.batch(client, id)).request_counts, patience)
      .toMatchObject({ completed: 0, failed: 1 })
    world.upstream.release('old')
    const batch = await world.ended(client, id)
    expect(batch).toMatchObject({ status: 'completed', request_counts: { completed: 2, failed: 1 } })
    expect(await world.results(client, batch.error_file_id)).toMatchObject([
      { custom_id: 'one', response: { status_code: 409, body: { error: { code: 'answer_not_stored' } } } },
    ])
    expect(world.upstream.requests).toHaveLength(3)
    await world.expectSoundBooks()
  })
})
