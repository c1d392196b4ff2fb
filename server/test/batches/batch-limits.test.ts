import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engageBrake, releaseBrake } from '#control/operators/brake.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { gatedCompletion } from '#test/drills/setup/gated-stream.ts'
import { vendorError } from '#test/simulators/scenarios/vendor-error.ts'
import { parseBatchId } from '#domain/batches/batch-id.ts'
import { type BatchWorld, chatLine, lineNano, patience, startBatchWorld } from './batch-world.ts'

// Of the gateway, ahead of the real one.
let aheadMs = 0
let world: BatchWorld
beforeAll(async () => {
  world = await startBatchWorld(
    { WEIR_BATCHES_LINES_AT_ONCE: '3', WEIR_BATCHES_TURN_MS: '1' },
    { nowMs: () => Date.now() + aheadMs },
  )
})
afterAll(() => world.close())
beforeEach(() => world.reset())

const lines = (count: number) => Array.from({ length: count }, (_, line) => chatLine(`line-${line + 1}`))

describe('the cost of a batch', () => {
  // A line holds 0.006015: 500 tokens of output, and its prompt.
  it('[NEXT-177] must fit the balance, beside other batches, or nothing runs', async () => {
    const client = await world.createClient({ usd: '0.05' })
    const tooLong = await world.ended(client, await world.start(client, lines(9)))
    expect(tooLong).toMatchObject({
      status: 'failed',
      request_counts: { total: 0 },
      errors: { data: [{ code: 'insufficient_credits', line: null, message: expect.stringContaining('$0.05 ') }] },
    })
    expect(world.upstream.requests).toEqual([])
    expect(await world.walletOf(client.walletId)).toMatchObject({ held: '0', charged: '0' })
    world.upstream.play(gatedCompletion('beside'))
    const first = await world.start(client, lines(6))
    await expect.poll(() => world.upstream.requests.length, patience).toBe(3)
    // Three lines hold, and three more may still cost as much.
    const second = await world.ended(client, await world.start(client, lines(3)))
    expect(second).toMatchObject({ status: 'failed', errors: { data: [{ code: 'insufficient_credits' }] } })
    world.upstream.release('beside')
    expect(await world.ended(client, first)).toMatchObject({ status: 'completed' })
    expect(await world.chargesOf(client)).toHaveLength(6)
    await world.expectSoundBooks()
  })

  it('[NEXT-177] must fit the limits of the key and of the organization', async () => {
    const { id: organizationId } = await world.createOrganization()
    const { memberId } = await world.addMember(organizationId, { monthlyBudgetUsd: '0.03' })
    const capped = await world.addOrganizationKey(organizationId, { terms: { limit: parseUsd('0.02'), period: 'day' } })
    const member = await world.addOrganizationKey(organizationId, { memberId })
    const failed = async (key: { key: string }, count: number) => {
      const batch = await world.ended(key, await world.start(key, lines(count)))
      return [batch.status, batch.errors === null ? null : (batch.errors as { data: { code: string }[] }).data[0]?.code]
    }
    expect(await failed(capped, 4)).toEqual(['failed', 'spend_limit_exceeded'])
    expect(await failed(capped, 3)).toEqual(['completed', null])
    expect(await failed(member, 5)).toEqual(['failed', 'budget_cap_reached'])
    expect(await failed(member, 4)).toEqual(['completed', null])
    await world.expectSoundBooks()
  })

  it('[NEXT-177] is the longest output for a line without a maximum', async () => {
    const client = await world.createClient({ usd: '0.05' })
    const batch = await world.ended(client, await world.start(client, [chatLine('one', { max_tokens: undefined })]))
    expect(batch).toMatchObject({ status: 'failed', errors: { data: [{ code: 'insufficient_credits' }] } })
  })
})

describe('the lines of a batch', () => {
  it('[NEXT-180] wait for the kill switch', async () => {
    const client = await world.createClient({ usd: '25' })
    const { operators } = createPostgresOperators(world.pool)
    await engageBrake(operators, { retryAfterS: 30, reason: 'drill' }, operatorAuthor(Date.now()))
    await world.gateway.refresh()
    const id = await world.start(client, lines(2))
    const waits = `SELECT FROM batches WHERE wallet_id = $1 AND status = 'in_progress' AND due_at > now() + interval '20 s'`
    await expect.poll(async () => (await world.pool.query(waits, [client.walletId])).rowCount, patience).toBe(1)
    await releaseBrake(operators, operatorAuthor(Date.now()))
    await world.gateway.refresh()
    // As if the 30 seconds were over.
    await world.pool.query('UPDATE batches SET due_at = now() WHERE wallet_id = $1', [client.walletId])
    const batch = await world.ended(client, id)
    expect(batch).toMatchObject({ status: 'completed', request_counts: { completed: 2, failed: 0 } })
    expect(await world.chargesOf(client)).toEqual([lineNano, lineNano])
  })

  it('[NEXT-180] wait for the rate limits of a provider', async () => {
    const client = await world.createClient({ usd: '25' })
    world.upstream.playNext(vendorError('openai', 'rate-limited', { headers: { 'retry-after': '1' } }))
    const id = await world.start(client, lines(2))
    const batch = await world.ended(client, id)
    expect(batch).toMatchObject({ status: 'completed', request_counts: { completed: 2, failed: 0 } })
    expect(await world.chargesOf(client)).toEqual([lineNano, lineNano])
    await world.expectSoundBooks()
  })

  it('[NEXT-182] never start after 24 hours', async () => {
    const client = await world.createClient({ usd: '25' })
    world.upstream.play(gatedCompletion('late'))
    const id = await world.start(client, lines(5))
    await expect.poll(() => world.upstream.requests.length, patience).toBe(3)
    aheadMs += 86_400_000
    world.upstream.release('late')
    const batch = await world.ended(client, id)
    expect(batch).toMatchObject({ status: 'expired', request_counts: { total: 5, completed: 3, failed: 0 } })
    expect(await world.results(client, batch.output_file_id)).toHaveLength(3)
    const errors = await world.results(client, batch.error_file_id)
    expect(errors).toMatchObject([
      { custom_id: 'line-4', response: null, error: { code: 'batch_expired' } },
      { custom_id: 'line-5', response: null, error: { code: 'batch_expired' } },
    ])
    expect(await world.chargesOf(client)).toHaveLength(3)
  })

  it('[NEXT-184] end with 401 once the key is revoked', async () => {
    const client = await world.createClient({ usd: '25' })
    const reader = await world.addKey(client.userId)
    world.upstream.play(gatedCompletion('revoked'))
    const id = await world.start(client, lines(5))
    await expect.poll(() => world.upstream.requests.length, patience).toBe(3)
    await world.pool.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [client.keyId])
    world.upstream.release('revoked')
    const batch = await world.ended(reader, id)
    expect(batch).toMatchObject({ status: 'completed', request_counts: { completed: 3, failed: 2 } })
    expect(await world.results(reader, batch.error_file_id)).toMatchObject([
      { custom_id: 'line-4', response: { status_code: 401, body: { error: { type: 'authentication_error' } } } },
      { custom_id: 'line-5', response: { status_code: 401 } },
    ])
    expect(await world.chargesOf(client)).toHaveLength(3)
    await world.expectSoundBooks()
  })

  it.each([
    ['is disabled', 'UPDATE api_keys SET enabled = false WHERE id = $1', 401],
    ['has expired', `UPDATE api_keys SET expires_at = now() - interval '1 hour' WHERE id = $1`, 401],
    [
      'is of a suspended person',
      'UPDATE users SET suspended_at = now() WHERE id = (SELECT user_id FROM api_keys WHERE id = $1)',
      403,
    ],
  ])('[NEXT-184] end once the key %s, and cost nothing', async (what, change, status) => {
    const client = await world.createClient({ usd: '25' })
    const reader = await world.addKey(client.userId)
    world.upstream.play(gatedCompletion(what))
    const id = await world.start(client, lines(5))
    await expect.poll(() => world.upstream.requests.length, patience).toBe(3)
    await world.pool.query(change, [client.keyId])
    world.upstream.release(what)
    await expect.poll(async () => await statusOf(id), patience).toBe('completed')
    const { rows } = await world.pool.query('SELECT completed, failed FROM batches WHERE id = $1', [
      parseBatchId('openai', id),
    ])
    expect(rows).toEqual([{ completed: 3, failed: 2 }])
    expect(await world.chargesOf(client)).toHaveLength(3)
    if (status === 403) return
    const batch = await world.batch(reader, id)
    expect(await world.results(reader, batch.error_file_id)).toMatchObject([
      { response: { status_code: status } },
      { response: { status_code: status } },
    ])
  })

  it('[NEXT-178] end with the error of a model that no provider may serve, and delay no other line', async () => {
    const client = await world.createClient({ usd: '25' })
    const nobody = chatLine('nobody', { provider: { only: ['groq'] } })
    const id = await world.start(client, [chatLine('good'), nobody])
    const batch = await world.ended(client, id)
    expect(batch).toMatchObject({ status: 'completed', request_counts: { completed: 1, failed: 1 } })
    expect(await world.results(client, batch.error_file_id)).toMatchObject([
      { custom_id: 'nobody', response: { status_code: 503 } },
    ])
  })

  it('[NEXT-185] run a few at a time', async () => {
    const client = await world.createClient({ usd: '25' })
    world.upstream.play(gatedCompletion('few'))
    const ids = [
      await world.start(client, lines(5)),
      await world.start(client, lines(5)),
      await world.start(client, lines(5)),
    ]
    await expect.poll(() => world.upstream.requests.length, patience).toBe(6)
    const waiting = await Promise.all(ids.map((id) => world.batch(client, id)))
    expect(waiting.map(({ status }) => status)).not.toContain('completed')
    expect(world.upstream.requests).toHaveLength(6)
    world.upstream.release('few')
    for (const id of ids) expect(await world.ended(client, id)).toMatchObject({ status: 'completed' })
    expect(await world.chargesOf(client)).toHaveLength(15)
  })
})

async function statusOf(id: string): Promise<unknown> {
  const { rows } = await world.pool.query('SELECT status FROM batches WHERE id = $1', [parseBatchId('openai', id)])
  return rows[0]?.status
}
