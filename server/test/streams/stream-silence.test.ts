import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { configSchema } from '#config/config-schema.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import { lastPayload, openStream } from './stream-client.ts'

const keepAliveMs = 400
let world: MoneyWorld

beforeAll(async () => {
  world = await startMoneyWorld({
    WEIR_STREAM_KEEP_ALIVE_MS: String(keepAliveMs),
    WEIR_UPSTREAM_IDLE_TIMEOUT_MS: '1700',
  })
})
afterAll(() => world.close())
beforeEach(() => world.upstream.forget())

describe('an idle stream', () => {
  it.each<[string, Scenario]>([
    [
      'before the upstream answers at all',
      { kind: 'steps', steps: [{ do: 'gate', name: 'g' }, ...goodStream({}).steps] },
    ],
    ['before the first token', insertAfterWrites(goodStream({}), 0, { do: 'gate', name: 'g' })],
    ['in the middle', insertAfterWrites(goodStream({}), 3, { do: 'gate', name: 'g' })],
    ['before its end', insertAfterWrites(goodStream({}), 5, { do: 'gate', name: 'g' })],
  ])('[STREAM-03] [P19] is sent comments, never further apart than promised: %s', async (_when, scenario) => {
    const caller = await world.createCaller()
    world.upstream.play(scenario)
    const client = await openStream(world.as(caller))
    await client.waitFor(/(: keep-alive\n\n){3}$/)
    world.upstream.release('g')
    const text = await client.end()
    expect(text).toContain('world')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    const moments = [0, ...client.arrivals.map(({ atMs }) => atMs)]
    const gaps = moments.slice(1).map((moment, position) => moment - (moments[position] ?? 0))
    // Some time for a busy machine; without comments the silence would last for three times as long.
    expect(Math.max(...gaps)).toBeLessThan(keepAliveMs * 2.5)
  })

  it('[STREAM-04] keeps alive with comments only', async () => {
    const caller = await world.createCaller()
    world.upstream.play(insertAfterWrites(goodStream({}), 3, { do: 'gate', name: 'g' }))
    const client = await openStream(world.as(caller))
    await client.waitFor(': keep-alive')
    world.upstream.release('g')
    const lines = (await client.end()).split('\n').filter((line) => line !== '')
    expect(lines.filter((line) => !line.startsWith('data: ') && !line.startsWith(':'))).toEqual([])
  })

  it('[STREAM-13] that its upstream has given up ends with the error frame, unbilled', async () => {
    const caller = await world.createCaller()
    world.upstream.play(faults.roleOnlyThenStall())
    const client = await openStream(world.as(caller))
    const text = await client.end()
    expect(text).toContain(': keep-alive')
    expect(lastPayload(text)).toEqual({ error: { message: expect.any(String), type: 'upstream_error', code: 504 } })
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    await world.expectRefunded(caller, 'upstream_failed')
  })

  it('[STREAM-10] that has been sent a comment is not taken over: its first byte has gone out', async () => {
    const caller = await world.createCaller()
    const late: Scenario = { kind: 'steps', steps: [{ do: 'gate', name: 'g' }, ...faults.serverError(500).steps] }
    world.upstream.play(late)
    const client = await openStream(world.as(caller))
    await client.waitFor(': keep-alive')
    world.upstream.release('g')
    const text = await client.end()
    expect(lastPayload(text)).toMatchObject({ error: { code: 'upstream_unavailable' } })
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(world.upstream.requests).toHaveLength(1)
    await world.expectRefunded(caller, 'upstream_failed')
  })
})

it('[STREAM-03] [P19] the promise is 15 seconds', () => {
  expect(configSchema.properties.stream.properties.keepAliveMs).toMatchObject({ default: 15_000 })
})
