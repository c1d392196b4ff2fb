import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Reply } from '#test/setup/reply.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import { textAfterUsage } from '#test/simulators/scenarios/text-after-usage.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { openStream } from '#test/streams/stream-client.ts'

const minuteMs = 60_000
const clock = createTestClock('2030-01-07T12:00:15Z')
let world: MoneyWorld

beforeAll(async () => {
  world = await startMoneyWorld({ WEIR_LIMITS_INFERENCE_LOW: '20', WEIR_LIMITS_INFERENCE_FUNDED: '200' }, clock)
})
afterAll(() => world.close())
beforeEach(() => {
  world.upstream.forget()
  world.upstream.play({ kind: 'echo' })
  // Each test starts fifteen seconds into its own minute.
  clock.forward(10 * minuteMs)
})

async function callTimes(caller: { key: string }, times: number): Promise<Reply[]> {
  return Promise.all(Array.from({ length: times }, () => world.call(caller, { max_tokens: 1 })))
}

function count(replies: readonly Reply[], status: number): number {
  return replies.filter((reply) => reply.status === status).length
}

describe('the request rate', () => {
  it('[LIMIT-01] with less than $10 lets 20 submits of a window pass, not the 21st', async () => {
    const caller = await world.createClient({ usd: '9.99' })
    expect(count(await callTimes(caller, 20), 200)).toBe(20)
    expect((await world.call(caller, {})).status).toBe(429)
    expect(world.upstream.requests).toHaveLength(20)
    clock.forward(minuteMs)
    expect((await world.call(caller, {})).status).toBe(200)
  })

  it('[LIMIT-02] with $10 lets 200 submits of a window pass, not the 201st', async () => {
    const caller = await world.createClient({ usd: '10' })
    expect(count(await callTimes(caller, 200), 200)).toBe(200)
    expect((await world.call(caller, {})).status).toBe(429)
    expect(world.upstream.requests).toHaveLength(200)
  })

  it('[LIMIT-03] is shared by all keys of a user', async () => {
    const caller = await world.createClient({ usd: '5' })
    const other = await world.addKey(caller.userId)
    expect(count(await callTimes(caller, 10), 200)).toBe(10)
    expect(count(await callTimes(other, 10), 200)).toBe(10)
    expect((await world.call(caller, {})).status).toBe(429)
    expect((await world.call(other, {})).status).toBe(429)
  })

  it('[LIMIT-06] knows no limit for the day', async () => {
    const caller = await world.createClient({ usd: '5' })
    for (let window = 0; window < 15; window += 1) {
      expect(count(await callTimes(caller, 20), 200)).toBe(20)
      clock.forward(minuteMs)
    }
  })

  it('[LIMIT-07] of account reads is 600 a minute of their own', async () => {
    const caller = await world.createClient({ usd: '5' })
    const read = async (): Promise<number> => (await world.as(caller).get('/v1/credits')).status
    for (let turn = 0; turn < 12; turn += 1) {
      expect(new Set(await Promise.all(Array.from({ length: 50 }, read)))).toEqual(new Set([200]))
    }
    expect(await read()).toBe(429)
    const reply = await world.call(caller, {})
    expect(reply.status).toBe(200)
    expect(reply.headers.get('x-ratelimit-remaining')).toBe('19')
  })

  it('[LIMIT-08] once exceeded is answered with an integer code, the window and when to come back', async () => {
    const caller = await world.createClient({ usd: '5' })
    await callTimes(caller, 20)
    clock.forward(5_000)
    const reply = await world.call(caller, {})
    expect(reply.status).toBe(429)
    expect(reply.json).toMatchObject({ error: { code: 429, message: expect.any(String), type: 'rate_limit_error' } })
    expect(reply.headers.get('x-ratelimit-limit')).toBe('20')
    expect(reply.headers.get('x-ratelimit-remaining')).toBe('0')
    // Twenty seconds into the minute.
    expect(reply.headers.get('retry-after')).toBe('40')
    expect(Number(reply.headers.get('x-ratelimit-reset'))).toBe((clock.nowMs() + 40_000) / 1_000)
  })
})

describe('the penalty block', () => {
  it('[LIMIT-09] starts after five windows in a row over the rate and doubles up to 15 minutes', async () => {
    const caller = await world.createClient({ usd: '9' })
    for (const seconds of [60, 120, 240, 480, 900, 900]) {
      const blocked = await exceedFiveWindows(caller)
      expect(blocked.json).toMatchObject({
        error: { code: 429, message: expect.stringContaining('temporary restriction') },
      })
      expect(blocked.headers.get('retry-after')).toBe(String(seconds))
      clock.forward(seconds * 1_000 - 1)
      expect((await world.call(caller, {})).json).toMatchObject({
        error: { message: expect.stringContaining('temporary restriction') },
      })
      // Moves on to a fresh window.
      clock.forward(1 + 2 * minuteMs)
    }
  })

  it('[LIMIT-09] does not start when one window in between was kept', async () => {
    const caller = await world.createClient({ usd: '9' })
    for (let window = 0; window < 6; window += 1) {
      await callTimes(caller, window === 3 ? 5 : 21)
      clock.forward(minuteMs)
    }
    expect((await world.call(caller, {})).status).toBe(200)
  })

  it('[LIMIT-10] [P6] starts after 20 unbilled cancels of a key within ten minutes', async () => {
    const caller = await world.createClient()
    await cancel(caller, 19)
    clock.forward(10 * minuteMs - 1)
    expect((await world.call(caller, {})).status).toBe(200)
    await cancel(caller, 1)
    await expect.poll(async () => (await world.call(caller, {})).status).toBe(429)
    const blocked = await world.call(caller, {})
    expect(blocked.json).toMatchObject({
      error: { code: 429, message: expect.stringContaining('temporary restriction') },
    })
    expect(blocked.headers.get('retry-after')).toBe('60')
    await world.expectSoundBooks()
  })

  it('[LIMIT-10] does not start when the first of 20 cancels was ten minutes before the last', async () => {
    const caller = await world.createClient()
    await cancel(caller, 1)
    clock.forward(10 * minuteMs)
    await cancel(caller, 19)
    expect((await world.call(caller, {})).status).toBe(200)
    // The next one is the twentieth of these ten minutes.
    await cancel(caller, 1)
    await expect.poll(async () => (await world.call(caller, {})).text).toContain('temporary restriction')
  })

  it('[LIMIT-10] cancels that were billed do not count', async () => {
    const caller = await world.createClient()
    world.upstream.play(textAfterUsage('g'))
    for (let turn = 0; turn < 21; turn += 1) {
      const client = await openStream(world.as(caller))
      await client.waitFor('world')
      client.leave()
      await world.upstream.waitForAbort(turn)
    }
    // An unbilled cancel is recorded before it is settled.
    await world.settled()
    world.upstream.play({ kind: 'echo' })
    expect((await world.call(caller, {})).status).toBe(200)
    const { rows } = await world.pool.query<{ billed: number }>(
      'SELECT count(*)::integer AS billed FROM generations WHERE wallet_id = $1 AND cancelled AND cost_nano > 0',
      [caller.walletId],
    )
    expect(rows).toEqual([{ billed: 21 }])
  })
})

async function exceedFiveWindows(caller: { key: string }): Promise<Reply> {
  let last: Reply | null = null
  for (let window = 0; window < 5; window += 1) {
    const replies = await callTimes(caller, 20)
    expect(count(replies, 200)).toBe(20)
    last = await world.call(caller, {})
    expect(last.status).toBe(429)
    if (window < 4) clock.forward(minuteMs)
  }
  if (last === null) throw new Error('no window')
  return last
}

async function cancel(caller: { key: string }, times: number): Promise<void> {
  world.upstream.play(insertAfterWrites(goodStream({}), 3, { do: 'gate', name: 'g' }))
  const clients = await Promise.all(Array.from({ length: times }, () => openStream(world.as(caller))))
  for (const client of clients) {
    await client.waitFor('Hel')
    client.leave()
  }
  await world.settled()
  world.upstream.play({ kind: 'echo' })
}
