import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { sweepInBatches } from '#jobs/worker-parts.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { placeHolds, sweepHolds } from '#store/postgres/money/holds.sql.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { createTestClock } from '#test/setup/clock.ts'
import type { Reply } from '#test/setup/reply.ts'
import { runParts } from '#test/setup/run-parts.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { type MoneyWorld, startMoneyWorld } from './money-world.ts'

const leaseMs = 500
// The estimate for the greeting of every test request: four for the message, six for its 21 bytes.
const promptTokens = 10n
const prompt = 1_500n
const completion = 12_000n

let world: MoneyWorld

beforeAll(async () => {
  // The clock stands still, so that no hour or day ends during a test.
  world = await startMoneyWorld({ WEIR_MONEY_LEASE_MS: String(leaseMs) }, createTestClock('2030-05-05T12:00:00Z'))
})
afterAll(() => world.close())
beforeEach(() => world.upstream.forget())

const gated: Scenario = {
  kind: 'by-request',
  stream: { kind: 'steps', steps: [{ do: 'gate', name: 'g' }, ...goodStream({}).steps] },
  json: {
    kind: 'steps',
    steps: [{ do: 'gate', name: 'g' }, ...vendorCompletion('openai', { kind: 'text', pieces: ['Hi'] }).steps],
  },
}

/** The amount held while the upstream works. */
async function heldDuring(body: JsonObject, usd = '1000'): Promise<bigint> {
  const caller = await world.createClient({ usd })
  world.upstream.forget()
  world.upstream.play(gated)
  const reply = world.call(caller, body)
  await world.upstream.waitForGate('g')
  const { held } = await world.walletOf(caller.walletId)
  world.upstream.release('g')
  expect((await reply).status).toBe(200)
  await world.expectSoundBooks()
  return parseUsd(held)
}

describe('a hold', () => {
  it('[HOLD-10] covers the estimated prompt, and max_tokens times n, at the prices of the model', async () => {
    expect(await heldDuring({ max_tokens: 100 })).toBe(promptTokens * prompt + 100n * completion)
    expect(await heldDuring({ max_tokens: 100, n: 3 })).toBe(promptTokens * prompt + 300n * completion)
    expect(await heldDuring({ max_completion_tokens: 7, stream: true })).toBe(promptTokens * prompt + 7n * completion)
  })

  it('[HOLD-10] covers the dearest candidate that may serve, whichever comes first', async () => {
    const pattern = 'qwen/qwen3-32b'
    const url = `${world.upstream.url}/v1`
    await world.addProvider({ vendor: 'deepinfra', url, pattern, priority: 0 })
    await world.addProvider({ vendor: 'alibaba', url, pattern, priority: 1 })
    // Alibaba's price is 0.00000065, and 0.0000078 for reasoning, which the whole output may be; DeepInfra's price is a
    // sixth of it.
    expect(await heldDuring({ model: pattern, max_tokens: 100 })).toBe(promptTokens * 650n + 100n * 7_800n)
  })

  it('[B3] [HOLD-10] covers the room for thinking that is added to the cap', async () => {
    const body = { max_tokens: 100, reasoning: { max_tokens: 2_000 } }
    expect(await heldDuring(body)).toBe(promptTokens * prompt + 2_100n * completion)
  })

  it('[HOLD-11] of a document without max_tokens covers 4,096 tokens, or what the model can make', async () => {
    expect(await heldDuring({}, '0.5')).toBe(promptTokens * prompt + 4_096n * completion)
    // At most 2,048 tokens, at 0.00000012 and 0.0000002.
    const small = await heldDuring({ model: 'mistralai/mistral-7b-instruct-v0.1' })
    expect(small).toBe(promptTokens * 120n + 2_048n * 200n)
  })

  it('[HOLD-11] of such a document covers more where there is plenty: all that the model can make', async () => {
    expect(await heldDuring({})).toBe(promptTokens * prompt + 128_000n * completion)
  })

  it('[HOLD-12] of a stream without max_tokens starts with 1,024 tokens', async () => {
    const held = await heldDuring({ model: 'openai/gpt-4o-mini', stream: true })
    expect(held).toBe(promptTokens * 160n + 1_024n * 640n)
  })

  it('[HOLD-12] of a stream whose model may reason unseen covers 4,096 at once, or what there is', async () => {
    expect(await heldDuring({ stream: true }, '0.5')).toBe(promptTokens * prompt + 4_096n * completion)
    expect(await heldDuring({ stream: true }, '0.02')).toBe(20_000_000n)
  })

  it('for more than money can count is refused, and spoils nobody else’s', async () => {
    const [greedy, modest] = [await world.createClient(), await world.createClient()]
    world.upstream.play({ kind: 'echo' })
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, position) =>
        position % 2 === 0
          ? world.call(greedy, { max_tokens: Number.MAX_SAFE_INTEGER, n: 100 })
          : world.call(modest, { max_tokens: 10 }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => [402, 200]).flat())
    await world.expectSoundBooks()
  })
})

describe('money for ten', () => {
  const amount = promptTokens * prompt + 100n * completion

  it('[HOLD-13] [P1] in the wallet gives ten dispatches out of 200 parallel calls', async () => {
    const caller = await world.createClient({ usd: '0' })
    const other = await world.addKey(caller.userId)
    await world.credit(caller.walletId, usd(amount * 10n))
    const statuses = await callInParallel([caller, other])
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(world.upstream.requests).toHaveLength(10)
    await world.expectSoundBooks()
  })

  it.each([null, 'day', 'week', 'month'] as const)('[P1] under a key cap per %s gives ten as well', async (period) => {
    const caller = await world.createClient({ usd: '1000', terms: { limit: nanoUsd(amount * 10n), period } })
    const statuses = await callInParallel([caller])
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    const { charged } = await world.walletOf(caller.walletId)
    expect(parseUsd(charged)).toBeLessThanOrEqual(amount * 10n)
    await world.expectSoundBooks()
  })

  it('[P1] under the hourly breaker of a user gives ten over all keys', async () => {
    const caller = await world.createClient({ usd: '1000' })
    await setBreaker(caller, amount * 10n)
    const keys = await Promise.all([1, 2, 3].map(() => world.addKey(caller.userId)))
    world.upstream.forget()
    world.upstream.play(gated)
    const replies = Array.from({ length: 60 }, (_, position) =>
      world.call(keys[position % 3] ?? caller, { max_tokens: 100 }),
    )
    const statuses = await releaseWhenRefused(replies, 50)
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(50)
    await world.expectSoundBooks()
  })
})

describe('[P21] a refusal for lack of credit', () => {
  it('names the output tokens that can be afforded, and so many pass', async () => {
    const caller = await world.createClient({ usd: '0.001' })
    world.upstream.play({ kind: 'echo' })
    const refused = await world.call(caller, {})
    expect(refused.status).toBe(402)
    expect(refused.json).toMatchObject({ error: { code: 'insufficient_credits' } })
    // (1,000,000 − 10 × 1,500) ÷ 12,000.
    expect(refused.text).toContain('enough for 82 output tokens')
    expect((await world.call(caller, { max_tokens: 83 })).status).toBe(402)
    expect((await world.call(caller, { max_tokens: 82 })).status).toBe(200)
  })

  it('counts the tokens for each of n choices', async () => {
    const caller = await world.createClient({ usd: '0.001' })
    const refused = await world.call(caller, { n: 2 })
    expect(refused.text).toContain('enough for 41 output tokens')
  })
})

describe('a lease', () => {
  it('[HOLD-15] that its dead process can not renew runs out, and the money is back without any client', async () => {
    const caller = await world.createClient()
    const id = newUuid(Date.now())
    const hold = { id, walletId: caller.walletId, keyId: caller.keyId, amount: parseUsd('3'), windows: [] }
    await placeHolds(world.pool, [hold], { leaseMs, isRetry: false })
    expect(await world.walletOf(caller.walletId)).toMatchObject({ held: '3' })
    await withSweeper(async () => {
      await expect.poll(() => world.walletOf(caller.walletId)).toMatchObject({ held: '0' })
    })
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '25', held: '0', charged: '0' })
    const shown = await world.get(caller, `/v1/generation?id=${publicGenerationId(id)}`)
    expect(shown).toMatchObject({ refund_reason: 'lease_lapsed', total_cost: 0 })
    await world.expectSoundBooks()
  })

  it('[HOLD-15] is renewed for as long as its request lives', async () => {
    const caller = await world.createClient()
    world.upstream.play(gated)
    const reply = world.call(caller, { max_tokens: 100 })
    await world.upstream.waitForGate('g')
    for (let turn = 0; turn < 3; turn += 1) {
      const before = await leaseOf(caller)
      await expect.poll(() => leaseOf(caller)).toBeGreaterThan(before)
    }
    world.upstream.release('g')
    expect((await reply).status).toBe(200)
    await world.expectSoundBooks()
  })
})

async function callInParallel(callers: readonly { key: string }[]): Promise<number[]> {
  world.upstream.forget()
  world.upstream.play(gated)
  const replies = Array.from({ length: 200 }, (_, position) => {
    const caller = callers[position % callers.length]
    if (caller === undefined) throw new Error('no caller')
    return world.call(caller, { max_tokens: 100, stream: position % 3 === 0 })
  })
  return releaseWhenRefused(replies, 190)
}

/** All rejections arrive while the ten are still being served. */
async function releaseWhenRefused(replies: readonly Promise<Reply>[], count: number): Promise<number[]> {
  let refused = 0
  for (const reply of replies) void reply.then(({ status }) => (refused += status === 200 ? 0 : 1))
  await expect.poll(() => refused).toBe(count)
  await world.upstream.waitForRequests(10)
  expect(world.upstream.requests).toHaveLength(10)
  world.upstream.release('g')
  return (await Promise.all(replies)).map(({ status }) => status)
}

/** The expiry of a client's only hold, by the store's clock. */
async function leaseOf({ walletId }: TestClient): Promise<number> {
  const { rows } = await world.pool.query<{ lease_until: Date }>('SELECT lease_until FROM holds WHERE wallet_id = $1', [
    walletId,
  ])
  return rows[0]?.lease_until.getTime() ?? Number.NaN
}

async function withSweeper(act: () => Promise<void>): Promise<void> {
  const sweeper = runParts([
    {
      name: 'sweep',
      everyMs: 50,
      run: sweepInBatches(
        (atMost) => sweepHolds(world.pool, atMost),
        () => {},
      ),
    },
  ])
  await act().finally(() => sweeper.stop())
}

async function setBreaker({ userId }: TestClient, hour: bigint): Promise<void> {
  await world.pool.query('UPDATE users SET breaker_enabled = true, breaker_hour_nano = $2 WHERE id = $1', [
    userId,
    hour.toString(),
  ])
}

function usd(amount: bigint): string {
  return (Number(amount) / 1e9).toFixed(9)
}
