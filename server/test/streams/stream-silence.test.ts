import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestClient } from '#test/setup/accounts.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import { lastPayload, openStream, type StreamClient } from './stream-client.ts'

const keepAliveMs = 400
const gate = { do: 'gate', name: 'g' } as const
const clock = createTestClock('2030-01-07T12:00:15Z')
let world: MoneyWorld
/** This gateway times out an upstream that is silent mid-response. */
let impatient: MoneyWorld

beforeAll(async () => {
  const settings = { WEIR_STREAM_KEEP_ALIVE_MS: String(keepAliveMs) }
  world = await startMoneyWorld(settings, clock)
  impatient = await startMoneyWorld({ ...settings, WEIR_UPSTREAM_IDLE_TIMEOUT_MS: '300' }, clock)
})
afterAll(async () => {
  await impatient.close()
  await world.close()
})
beforeEach(() => world.upstream.forget())

/** Opens a stream that stops at the gate after the visible part, and lets the promised time pass in silence. */
async function openSilent(place: MoneyWorld, caller: TestClient, { scenario, seen }: Silence): Promise<StreamClient> {
  place.upstream.play(scenario)
  const opening = openStream(place.as(caller))
  await place.upstream.waitForGate('g')
  // A write after the clock moved would end the silence.
  if (seen !== null) await (await opening).waitFor(seen)
  clock.forward(keepAliveMs)
  return opening
}

interface Silence {
  scenario: Scenario
  /** The client's last text before the gate, or null. */
  seen: string | null
}

const beforeItsHead: Silence = { scenario: { kind: 'steps', steps: [gate, ...goodStream({}).steps] }, seen: null }
const inTheMiddle: Silence = { scenario: insertAfterWrites(goodStream({}), 3, gate), seen: '"lo"' }

describe('an idle stream', () => {
  it.each<[string, Silence]>([
    ['before the upstream answers at all', beforeItsHead],
    ['before the first token', { scenario: insertAfterWrites(goodStream({}), 0, gate), seen: null }],
    ['in the middle', inTheMiddle],
    ['before its end', { scenario: insertAfterWrites(goodStream({}), 5, gate), seen: '" world"' }],
  ])('[STREAM-03] [P19] is sent a comment whenever the promised time has passed: %s', async (_when, silence) => {
    const client = await openSilent(world, await world.createClient(), silence)
    await client.waitFor(/: keep-alive\n\n$/)
    clock.forward(keepAliveMs)
    await client.waitFor(/(: keep-alive\n\n){2}$/)
    clock.forward(keepAliveMs)
    await client.waitFor(/(: keep-alive\n\n){3}$/)
    world.upstream.release('g')
    const text = await client.end()
    expect(text).toContain('world')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(text.match(/: keep-alive/g)).toHaveLength(3)
  })

  it('[STREAM-04] keeps alive with comments only', async () => {
    const client = await openSilent(world, await world.createClient(), inTheMiddle)
    await client.waitFor(': keep-alive')
    world.upstream.release('g')
    const lines = (await client.end()).split('\n').filter((line) => line !== '')
    expect(lines.filter((line) => !line.startsWith('data: ') && !line.startsWith(':'))).toEqual([])
  })

  it('[STREAM-13] that its upstream has given up ends with the error frame, unbilled', async () => {
    const caller = await impatient.createClient()
    const scenario: Scenario = { kind: 'steps', steps: [gate, ...faults.roleOnlyThenStall().steps] }
    const client = await openSilent(impatient, caller, { scenario, seen: null })
    await client.waitFor(': keep-alive')
    impatient.upstream.release('g')
    const text = await client.end()
    expect(lastPayload(text)).toEqual({ error: { message: expect.any(String), type: 'upstream_error', code: 504 } })
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    await impatient.expectRefunded(caller, 'upstream_failed')
  })

  it('[STREAM-10] that has been sent a comment is not taken over: its first byte has gone out', async () => {
    const caller = await world.createClient()
    const scenario: Scenario = { kind: 'steps', steps: [gate, ...faults.serverError(500).steps] }
    const client = await openSilent(world, caller, { scenario, seen: null })
    await client.waitFor(': keep-alive')
    world.upstream.release('g')
    const text = await client.end()
    expect(lastPayload(text)).toMatchObject({ error: { code: 'upstream_unavailable' } })
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(world.upstream.requests).toHaveLength(1)
    await world.expectRefunded(caller, 'upstream_failed')
  })
})
