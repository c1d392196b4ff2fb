import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { payloadsOf } from '#test/setup/reply.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import type { StepsScenario } from '#test/simulators/scenario.ts'
import { costTextOf, type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import { lastPayload, openStream } from './stream-client.ts'

let world: MoneyWorld

beforeAll(async () => {
  world = await startMoneyWorld()
})
afterAll(() => world.close())
beforeEach(() => world.upstream.forget())

/** A stream of this many tokens, one chunk each, that stops at a gate after some of them. */
function longStream(tokens: number, gateAfter: number): StepsScenario {
  const pieces = Array.from({ length: tokens }, (_, position) => `w${position} `)
  const stream = goodStream({ pieces }, { prompt: 16, completion: tokens })
  return { ...insertAfterWrites(stream, gateAfter, { do: 'gate', name: 'g' }), wire: { split: { at: [] } } }
}

// The greeting is estimated at 10 prompt tokens, at 0.00000016; a completion token costs 0.00000064.
const holdFor = (tokens: number): bigint => 1_600n + BigInt(tokens) * 640n
const model = 'openai/gpt-4o-mini'
// Credit for 1,560 tokens, and an upstream that exceeds its cap.
const little = '0.001'
const tooLong = longStream(3_000, 2_900)

describe('a stream without max_tokens', () => {
  it('[HOLD-12] [P21] has its hold extended in steps while it runs', async () => {
    const caller = await world.createClient()
    world.upstream.play(longStream(3_000, 2_000))
    const client = await openStream(world.as(caller), { model })
    await client.waitFor('w1990 ')
    await expect
      .poll(async () => parseUsd((await world.walletOf(caller.walletId)).held))
      .toBeGreaterThanOrEqual(holdFor(2_048))
    world.upstream.release('g')
    const text = await client.end()
    expect(lastPayload(text)).toMatchObject({ usage: { completion_tokens: 3_000 } })
    expect(await world.walletOf(caller.walletId)).toMatchObject({ held: '0', charged: '0.00192256' })
    await world.expectSoundBooks()
  })

  it('[STREAM-12] [HOLD-12] [P21] ends with an error frame when credit runs out, and its upstream is cancelled', async () => {
    const caller = await world.createClient({ usd: little })
    world.upstream.play(tooLong)
    const client = await openStream(world.as(caller), { model })
    const text = await client.end()
    expect(lastPayload(text)).toEqual({
      error: {
        message: expect.stringContaining('credit ran out mid-stream'),
        type: 'billing_error',
        code: 'insufficient_credits',
      },
    })
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(payloadsOf(text).length).toBeGreaterThan(500)
    await world.upstream.waitForAbort(0)
    await world.expectRefunded(caller, 'credit_exhausted')
    expect(await world.walletOf(caller.walletId)).toMatchObject({ balance: little, held: '0' })
  })

  it('[ERR-49] [HOLD-12] ends with an error frame when the credit line of an organization runs out', async () => {
    const payer = await world.createOrganization({ usd: '0', creditLineUsd: little })
    world.upstream.play(tooLong)
    const text = await (await openStream(world.as(await world.addOrganizationKey(payer.id)), { model })).end()
    expect(lastPayload(text)).toMatchObject({ error: { code: 'credit_limit_exceeded', type: 'billing_error' } })
    await world.upstream.waitForAbort(0)
    expect(await world.walletOf(payer.walletId)).toEqual({ balance: '0', held: '0', charged: '0' })
  })

  it("[ERR-48] [HOLD-12] ends with an error frame when a member's budget is reached", async () => {
    const payer = await world.createOrganization()
    const { memberId } = await world.addMember(payer.id, { monthlyBudgetUsd: little })
    const before = await world.walletOf(payer.walletId)
    world.upstream.play(tooLong)
    const { key } = await world.addOrganizationKey(payer.id, { memberId })
    const text = await (await openStream(world.as(key), { model })).end()
    expect(lastPayload(text)).toMatchObject({ error: { code: 'budget_cap_reached' } })
    await world.upstream.waitForAbort(0)
    await expect.poll(() => world.walletOf(payer.walletId)).toEqual(before)
  })

  it("[HOLD-12] ends with an error frame when the key's cap is reached", async () => {
    const caller = await world.createClient({ terms: { limit: parseUsd(little), period: 'day' } })
    world.upstream.play(tooLong)
    const text = await (await openStream(world.as(caller), { model })).end()
    expect(lastPayload(text)).toMatchObject({ error: { code: 'spend_limit_exceeded' } })
    await world.upstream.waitForAbort(0)
    await world.expectRefunded(caller, 'credit_exhausted')
  })

  it('[B13] is told the cap that its wallet can pay for, and may use all of it', async () => {
    const caller = await world.createClient({ usd: little })
    world.upstream.play(longStream(1_500, 1_400))
    const client = await openStream(world.as(caller), { model })
    await client.waitFor('w1390 ')
    world.upstream.release('g')
    expect(lastPayload(await client.end())).toMatchObject({ usage: { completion_tokens: 1_500 } })
    expect(world.upstream.requests[0]?.body).toMatchObject({ max_tokens: 1_560 })
    await world.expectSoundBooks()
  })

  it('[P21] that stays within its opening hold needs no more credit than that', async () => {
    const caller = await world.createClient({ usd: '0.013' })
    world.upstream.play(longStream(600, 1))
    world.upstream.release('g')
    const reply = await world.call(caller, { stream: true })
    expect(costTextOf(reply)).toBe('0.007224')
    await world.expectSoundBooks()
  })
})

it('[P21] a stream with max_tokens holds for them and no more', async () => {
  const caller = await world.createClient({ usd: '0.05' })
  world.upstream.play(longStream(3_000, 2_000))
  const client = await openStream(world.as(caller), { model, max_tokens: 4_000 })
  await client.waitFor('w1990 ')
  expect(parseUsd((await world.walletOf(caller.walletId)).held)).toBe(holdFor(4_000))
  world.upstream.release('g')
  await client.end()
  await world.expectSoundBooks()
})
