import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import { openStream } from '#test/streams/stream-client.ts'

const dayMs = 86_400_000
const allowanceUsd = 0.001
// About a thousand tokens, worth about twelve times the allowance.
const long = ['Hel', 'x'.repeat(4_000), 'lo']
const clock = createTestClock('2031-05-05T12:00:00Z')
let world: MoneyWorld

beforeAll(async () => {
  world = await startMoneyWorld({ WEIR_LIMITS_UNBILLED_USD: String(allowanceUsd) }, clock)
})
afterAll(() => world.close())
beforeEach(() => {
  world.upstream.forget()
  world.upstream.play({ kind: 'echo' })
  // All tests use one address, so each has its own day, after one without payments.
  clock.forward(2 * dayMs)
})

describe('answers that are left before they are billed', () => {
  it('[B6] [HOLD-05] cost nothing, until they are worth more than a day allows; the next day they may be again', async () => {
    const caller = await world.createClient({ usd: '20' })
    await leave(caller, ['Hel', 'l', 'lo'])
    expect((await world.call(caller, {})).status).toBe(200)
    await leaveTooMuch(caller)
    const blocked = await world.call(caller, {})
    expect(blocked).toMatchObject({
      status: 429,
      json: { error: { code: 429, message: expect.stringContaining('temporary restriction') } },
    })
    expect(blocked.headers.get('retry-after')).toBe('900')
    const { rows } = await world.pool.query(
      `SELECT count(*)::integer AS free FROM generations WHERE wallet_id = $1 AND cancelled AND cost_nano = 0`,
      [caller.walletId],
    )
    expect(rows).toEqual([{ free: 2 }])
    await world.expectSoundBooks()
    clock.forward(dayMs)
    expect((await world.call(caller, {})).status).toBe(200)
  })

  it('[B6] about a document count it as documents usually are, not at a token for each of its bytes', async () => {
    const caller = await world.createClient({ usd: '20' })
    const before = await readMetrics()
    const file = { filename: 'a.pdf', file_data: `data:application/pdf;base64,${'A'.repeat(400_000)}` }
    const content = [
      { type: 'text', text: 'Sum it up.' },
      { type: 'file', file },
    ]
    await leave(caller, ['Hel', 'l', 'lo'], { messages: [{ role: 'user', content }] })
    // It has 300,000 bytes; documents of that size usually have 11,500 tokens, at $1.50 per million.
    expect((await readMetrics()).usd - before.usd).toBeLessThan(13_000 * 0.000_001_5)
  })

  it('[B6] may be worth a share of what was paid that day', async () => {
    const caller = await world.createClient({ usd: '20' })
    world.upstream.play(goodStream({}, { prompt: 16, completion: 100_000 }))
    await (await openStream(world.as(caller))).end()
    await leave(caller, long)
    expect((await world.call(caller, {})).status).toBe(200)
  })

  it('[B6] are bounded also where all are left at the same moment', async () => {
    const caller = await world.createClient({ usd: '20' })
    world.upstream.play(insertAfterWrites(goodStream({ pieces: long }), 3, { do: 'gate', name: 'g' }))
    const burst = await Promise.all(Array.from({ length: 30 }, () => openStream(world.as(caller))))
    const served = burst.filter(({ status }) => status === 200)
    expect(served.length).toBeGreaterThan(0)
    // A quarter of the 1,024 held tokens, at $12 per million; twenty times the allowance may be in progress.
    expect(served.length * 256 * 0.000012).toBeLessThanOrEqual(20 * allowanceUsd)
    const refused = burst.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(30 - served.length)
    expect(refused[0]?.headers['retry-after']).toBe('5')
    for (const stream of served) {
      await stream.waitFor(/x{4000}/)
      stream.leave()
    }
    await world.settled()
    expect(world.upstream.requests).toHaveLength(served.length)
    world.upstream.play({ kind: 'echo' })
    await expect.poll(() => exceeded(caller)).toHaveLength(1)
    expect((await world.call(caller, {})).status).toBe(429)
  })

  it('[B6] are no longer under way once they have ended, whatever the end', async () => {
    const caller = await world.createClient({ usd: '20' })
    for (let turn = 0; turn < 12; turn += 1) expect((await world.call(caller, {})).status).toBe(200)
    const poor = await world.createClient({ usd: '0.000001' })
    for (let turn = 0; turn < 12; turn += 1) expect((await world.call(poor, {})).status).toBe(402)
    world.upstream.play(insertAfterWrites(goodStream({}), 3, { do: 'gate', name: 'g' }))
    const [one, other] = [await openStream(world.as(caller)), await openStream(world.as(caller))]
    expect([one.status, other.status]).toEqual([200, 200])
    for (const stream of [one, other]) stream.leave()
    await world.settled()
  })

  it('[B6] of one wallet leave others at its address what they pay for or have credit for, and one request at a time', async () => {
    const [abuser, customer, funded, stranger] = [
      await world.createClient({ usd: '20' }),
      await world.createClient({ usd: '5' }),
      await world.createClient({ usd: '20' }),
      await world.createClient({ usd: '5' }),
    ]
    world.upstream.play(goodStream({}, { prompt: 16, completion: 5_000 }))
    await (await openStream(world.as(customer))).end()
    await leaveTooMuch(abuser)
    world.upstream.play(insertAfterWrites(goodStream({}), 3, { do: 'gate', name: 'g' }))
    const streams = [
      await openStream(world.as(customer)),
      await openStream(world.as(customer)),
      await openStream(world.as(funded)),
      await openStream(world.as(funded)),
      await openStream(world.as(stranger)),
      await openStream(world.as(stranger)),
    ]
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
    for (const stream of streams) stream.leave()
    await world.settled()
  })

  it('[B6] are shown to operators: who, how much, and once a day', async () => {
    const caller = await world.createClient({ usd: '20' })
    const before = await readMetrics()
    await leaveTooMuch(caller)
    const find = async () => {
      const { rows } = await world.pool.query<{ details: { leftUsd: string } }>(
        `SELECT actor_kind, details FROM audit_entries WHERE action = 'wallet.unbilled.exceeded' AND target_id = $1`,
        [caller.walletId],
      )
      return rows
    }
    await expect.poll(find).toHaveLength(1)
    const [entry] = await find()
    expect(entry).toMatchObject({ actor_kind: 'system', details: { userId: caller.userId, organizationId: null } })
    const leftUsd = Number(entry?.details.leftUsd)
    expect(leftUsd).toBeGreaterThan(allowanceUsd)
    const after = await readMetrics()
    expect(after.usd - before.usd).toBeCloseTo(leftUsd, 9)
    expect(after.exceeded - before.exceeded).toBe(1)
  })
})

async function leave(caller: { key: string }, pieces: readonly string[], body: JsonObject = {}): Promise<void> {
  world.upstream.play(insertAfterWrites(goodStream({ pieces }), 4, { do: 'gate', name: 'g' }))
  const { usd } = await readMetrics()
  const stream = await openStream(world.as(caller), body)
  await stream.waitFor(pieces.at(-1) ?? '')
  stream.leave()
  await world.settled()
  expect((await readMetrics()).usd).toBeGreaterThan(usd)
  world.upstream.play({ kind: 'echo' })
}

async function leaveTooMuch(caller: { key: string; walletId: string }): Promise<void> {
  await leave(caller, long)
  await expect.poll(() => exceeded(caller)).toHaveLength(1)
}

function exceeded({ walletId }: { walletId: string }): string[] {
  return world.logLines.filter(
    (line) => line.includes('wallet exceeded its daily limit of unpaid cost') && line.includes(walletId),
  )
}

async function readMetrics(): Promise<{ usd: number; exceeded: number }> {
  const text = await world.readMetrics()
  const read = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  return { usd: read('weir_unbilled_usd_total'), exceeded: read('weir_unbilled_limit_exceeded_total') }
}
