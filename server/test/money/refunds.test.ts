import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { cutAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { vendorError } from '#test/simulators/scenarios/vendor-error.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import { startSimulator } from '#test/simulators/start-simulator.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { textOf } from '#test/setup/call-chat.ts'
import { costTextOf, type MoneyWorld, startMoneyWorld, usageOf } from './money-world.ts'

let world: MoneyWorld
/**
 * This gateway times out a silent upstream. On a busy machine any upstream may be silent for long, so no successful
 * response is expected here.
 */
let impatient: MoneyWorld

beforeAll(async () => {
  world = await startMoneyWorld()
  impatient = await startMoneyWorld({
    WEIR_UPSTREAM_IDLE_TIMEOUT_MS: '300',
    WEIR_UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '400',
    WEIR_UPSTREAM_ANSWER_TIMEOUT_MS: '400',
  })
})
afterAll(async () => {
  await impatient.close()
  await world.close()
})
beforeEach(() => {
  world.upstream.forget()
  impatient.upstream.forget()
})

describe.each([false, true])('with stream: %s', (stream) => {
  it.each<[string, Scenario, number, string]>([
    ['[HOLD-02] an HTTP error of the upstream', faults.serverError(500), 502, 'upstream_failed'],
    ['[HOLD-02] a refusal of the request itself', vendorError('openai', 'context-too-long'), 400, 'upstream_rejected'],
    ['[HOLD-03] 200 with an empty body', faults.emptyBody('application/json'), 502, 'upstream_failed'],
    ['[HOLD-03] 200 with an empty event stream', faults.emptyBody(), 502, 'upstream_failed'],
    ['[HOLD-03] 200 with something that is not JSON', faults.htmlError(200), 502, 'upstream_failed'],
    ['[HOLD-03] 200 with an error object', faults.errorObjectWith200(), 502, 'upstream_failed'],
    [
      '[HOLD-03] 200 without choices',
      jsonAnswer(200, { choices: [], usage: { prompt_tokens: 5 } }),
      502,
      'upstream_failed',
    ],
    ['[HOLD-01] a connection that breaks before the head', faults.resetBeforeHeaders(), 502, 'upstream_failed'],
    ['[HOLD-01] bytes that are not HTTP', faults.garbage(), 502, 'upstream_failed'],
    ['[HOLD-01] a 100 Continue that nobody asked for', faults.unasked100Continue(), 502, 'upstream_failed'],
    ['[HOLD-02] a redirect, which is not followed', faults.redirect('http://127.0.0.1:1/'), 502, 'upstream_failed'],
  ])('%s returns the whole reservation', async (_what, scenario, status, reason) => {
    const caller = await world.createClient()
    world.upstream.play(scenario)
    const reply = await world.call(caller, { stream })
    expect(reply.status).toBe(status)
    expect(reply.json).toMatchObject({ error: { message: expect.any(String), type: expect.any(String) } })
    await world.expectRefunded(caller, reason)
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '25', held: '0', charged: '0' })
  })
})

it('[HOLD-02] an upstream that asks for a pause returns the whole reservation', async () => {
  const caller = await world.createClient()
  world.upstream.play(faults.rateLimited({ retryAfter: 60 }))
  // The pause only applies to this model of this upstream.
  const reply = await world.call(caller, { model: 'openai/gpt-4o-mini' })
  expect(reply.status).toBe(429)
  expect(reply.json).toMatchObject({ error: { code: 'upstream_rate_limited' } })
  await world.expectRefunded(caller, 'upstream_failed')
})

it('[HOLD-01] an upstream that accepts no connection returns the whole reservation', async () => {
  const gone = await startSimulator()
  await gone.close()
  await world.addProvider({ vendor: 'xai', url: `${gone.url}/v1`, pattern: 'x-ai/grok-4.1-fast' })
  const caller = await world.createClient()
  const reply = await world.call(caller, { model: 'x-ai/grok-4.1-fast' })
  expect(reply.json).toMatchObject({ error: { code: 'upstream_unreachable' } })
  expect(reply.status).toBe(502)
  await world.expectRefunded(caller, 'upstream_failed')
})

describe('a stream that breaks off', () => {
  const [end, reset] = [{ do: 'end' }, { do: 'reset' }] as const
  it.each<[string, Scenario]>([
    ['[P18] a clean end without finish, usage and [DONE]', faults.truncatedStream()],
    ['a reset', faults.resetMidStream()],
    ['a closed connection', faults.closeMidStream()],
    ["the vendor's own error frame", faults.textThenError()],
    ['a frame that is not JSON', faults.invalidJsonFrame()],
    ['a clean end, though each piece came with a count so far', cutAfterWrites(faults.cumulativeUsage(), 3, end)],
    ['a reset, though each piece came with a count so far', cutAfterWrites(faults.cumulativeUsage(), 3, reset)],
  ])('[HOLD-04] [P2] after %s returns the whole reservation', (_what, scenario) => expectReturned(world, scenario))

  it('[HOLD-04] [P2] after silence returns the whole reservation', () =>
    expectReturned(impatient, faults.roleOnlyThenStall()))
})

describe('a complete answer', () => {
  it('[HOLD-06] streamed without usage is delivered and costs nothing', async () => {
    const caller = await world.createClient()
    world.upstream.play(faults.textNoUsage())
    const reply = await world.call(caller, { stream: true })
    expect(textOf(reply.chunks)).toBe('Hello world')
    expect(reply.sawDone).toBe(true)
    expect(reply.text).not.toContain('"cost"')
    await world.expectRefunded(caller, 'no_usage')
  })

  it('[HOLD-06] whole without usage is delivered and costs nothing', async () => {
    const caller = await world.createClient()
    world.upstream.play(vendorCompletion('openai', { kind: 'text', pieces: ['Hello'], usage: null }))
    const reply = await world.call(caller, {})
    expect(reply.status).toBe(200)
    expect(reply.json).toMatchObject({ choices: [{ message: { content: 'Hello' } }] })
    await world.expectRefunded(caller, 'no_usage')
  })

  it.each([false, true])('[HOLD-07] [P8] with usage of zeros costs nothing, stream: %s', async (stream) => {
    const caller = await world.createClient()
    const usage = { prompt: 0, completion: 0 }
    world.upstream.play(
      stream ? faults.zeroUsage() : vendorCompletion('openai', { kind: 'text', pieces: ['Hello'], usage }),
    )
    const reply = await world.call(caller, { stream })
    expect(reply.status).toBe(200)
    expect(costTextOf(reply)).toBe('0')
    await world.expectRefunded(caller, 'zero_usage')
  })

  it.each([false, true])('[HOLD-08] with no output is charged for its input, stream: %s', async (stream) => {
    const caller = await world.createClient()
    const usage = { prompt: 16, completion: 0 }
    world.upstream.play(
      stream ? faults.inputOnlyUsage(16) : vendorCompletion('openai', { kind: 'text', pieces: [], usage }),
    )
    const reply = await world.call(caller, { stream })
    expect(usageOf(reply)).toMatchObject({ prompt_tokens: 16, completion_tokens: 0 })
    // 16 tokens at 0.0000015.
    expect(costTextOf(reply)).toBe('0.000024')
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '24.999976', held: '0', charged: '0.000024' })
  })
})

it('[P2] after every kind of end nothing is held and the books agree', async () => {
  const ended = await endInEveryWay(world, [
    { kind: 'echo' },
    faults.truncatedStream(),
    faults.resetMidStream(),
    faults.serverError(503),
    faults.zeroUsage(),
    faults.textNoUsage(),
    faults.emptyBody(),
  ])
  await endInEveryWay(impatient, [faults.stallBeforeHeaders(), faults.roleOnlyThenStall()])
  const { charged } = await world.walletOf(ended.walletId)
  expect(Number(charged)).toBeGreaterThan(0)
})

async function endInEveryWay(place: MoneyWorld, ends: readonly Scenario[]): Promise<TestClient> {
  const caller = await place.createClient()
  for (const scenario of ends) {
    place.upstream.play(scenario)
    await Promise.all(
      [true, false].flatMap((stream) => [1, 2, 3].map(() => place.call(caller, { stream, max_tokens: 50 }))),
    )
  }
  await place.expectSoundBooks()
  return caller
}

async function expectReturned(place: MoneyWorld, scenario: Scenario): Promise<void> {
  const caller = await place.createClient()
  place.upstream.play(scenario)
  const reply = await place.call(caller, { stream: true })
  expect(reply.text).toContain('"error"')
  await place.expectRefunded(caller)
  expect(await place.walletOf(caller.walletId)).toEqual({ balance: '25', held: '0', charged: '0' })
}
