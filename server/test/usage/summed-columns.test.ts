import { afterAll, beforeAll, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import { createUsageWorld, type UsageWorld } from './usage-world.ts'

const nowMs = Date.now()

let world: UsageWorld
beforeAll(async () => {
  world = await createUsageWorld()
})
afterAll(() => world.database.drop())

it('P24: every figure of a request is in the sums, each once and in its own column', async () => {
  const walletId = await world.newWallet()
  // Powers of two: a missing, doubled or misplaced value changes the sum.
  const usage = {
    uncachedInput: 1,
    cacheRead: 2,
    cacheWrite5m: 4,
    cacheWrite1h: 8,
    audioInput: 16,
    textOutput: 64,
    reasoningOutput: 128,
    imageOutput: 256,
    audioOutput: 512,
    media: { inputImageTokens: 32 },
  }
  const request = { walletId, keyId: newUuid(nowMs), startedAtMs: nowMs, usage }
  await world.settle([
    { ...request, cost: nanoUsd(1_024n), cacheDiscount: nanoUsd(2_048n), refundReason: null },
    { ...request, cost: nanoUsd(0n), refundReason: 'upstream_failed' },
  ])
  await world.rollUpAll()
  const sums = 'requests, failed, spent_nano, saved_nano, prompt_tokens, completion_tokens'
  for (const table of ['usage_hours', 'usage_days', 'usage_months']) {
    const { rows } = await world.database.pool.query(`SELECT ${sums} FROM ${table} WHERE wallet_id = $1`, [walletId])
    expect({ table, rows }).toEqual({
      table,
      rows: [
        {
          requests: expect.anything(),
          failed: expect.anything(),
          spent_nano: '1024',
          saved_nano: '2048',
          prompt_tokens: '126',
          completion_tokens: '1920',
        },
      ],
    })
    expect([Number(rows[0]?.requests), Number(rows[0]?.failed)]).toEqual([2, 1])
  }
})
