import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { textOf } from '#test/setup/call-chat.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { vendorError } from '#test/simulators/scenarios/vendor-error.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import { type HostsWorld, modelOf, second, shared, startHostsWorld } from './hosts-world.ts'

// No pause before a retry.
const outside = { wait: async () => {} }
let world: HostsWorld
/**
 * These gateways time out a silent provider. On a busy machine any provider may be silent for long, so only the patient
 * gateway expects a success.
 */
let impatient: { short: HostsWorld; long: HostsWorld }
const silence = (ms: string) => ({
  WEIR_UPSTREAM_FIRST_BYTE_TIMEOUT_MS: ms,
  WEIR_UPSTREAM_ANSWER_TIMEOUT_MS: ms,
})
beforeAll(async () => {
  world = await startHostsWorld({}, outside)
  impatient = {
    short: await startHostsWorld(silence('100'), outside),
    long: await startHostsWorld(silence('1000'), outside),
  }
})
afterAll(async () => {
  await Promise.all([world, impatient.short, impatient.long].map((each) => each.close()))
})
beforeEach(() => world.reset())

const hiccups: [string, Scenario][] = [
  ['500', faults.serverError(500)],
  ['503', faults.serverError(503)],
  ['529', faults.serverError(529)],
  ['a page instead of JSON', faults.htmlError(502)],
  ['a reset before the head', faults.resetBeforeHeaders()],
  ['a closed connection', faults.closeBeforeHeaders()],
  ['a refused key', vendorError('openai', 'invalid-key')],
  ['an account without money', faults.insufficientQuota()],
]

describe.each([false, true])('with stream %j', (stream) => {
  it.each(hiccups)('[ROUTE-15] %s of the first host is made up for by the next', (_what, scenario) =>
    expectMadeUpFor(world, scenario),
  )

  it('[ROUTE-15] silence of the first host is made up for by the next', () =>
    expectMadeUpFor(impatient.long, faults.stallBeforeHeaders()))

  async function expectMadeUpFor(place: HostsWorld, scenario: Scenario): Promise<void> {
    const caller = await place.gateway.createClient()
    place.reset()
    place.hosts.groq.play(scenario)
    const reply = await place.chat({ stream, provider: { only: ['groq', 'deepinfra'] } }, caller)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.text).not.toContain('"error"')
    expect(place.asked()).toEqual({ groq: 1, deepinfra: 1 })
    // 6 input and 4 output tokens, at the price of the serving provider.
    const { charged, held } = await place.gateway.walletOf(caller.walletId)
    expect({ charged, held }).toEqual({ charged: '0.00000088', held: '0' })
  }

  it('[ROUTE-15] a hiccup of the only host is asked again', async () => {
    world.hosts.together.playNext(faults.serverError(500))
    const reply = await world.chat({ stream, provider: { only: ['together'] } })
    expect(reply.status, reply.text).toBe(200)
    expect(world.asked()).toEqual({ together: 2 })
  })

  it('[ROUTE-15] every host is asked before one is asked again', async () => {
    world.reset(faults.serverError(500))
    world.hosts.fireworks.play({ kind: 'echo' })
    const reply = await world.chat({ stream })
    expect(reply.status, reply.text).toBe(200)
    expect(world.asked()).toEqual({ groq: 1, together: 1, deepinfra: 1, fireworks: 1 })
  })

  it('[ROUTE-14] the next model of the list answers under its own name and at its own price', async () => {
    const caller = await world.gateway.createClient()
    world.hosts.groq.playNext(faults.serverError(500))
    const reply = await world.chat({ stream, models: [shared, second], provider: { only: ['groq'] } }, caller)
    expect(reply.status, reply.text).toBe(200)
    expect(modelOf(reply)).toBe(second)
    expect(world.hosts.groq.requests.map(({ body }) => isJsonObject(body) && body.model)).toEqual([shared, second])
    expect(await world.gateway.walletOf(caller.walletId)).toMatchObject({ charged: '0.0000042', held: '0' })
  })

  it('[ROUTE-14] a later model is not asked while hosts of an earlier one are left', async () => {
    world.hosts.groq.play(faults.serverError(500))
    const reply = await world.chat({ stream, models: [shared, second] })
    expect(modelOf(reply)).toBe(shared)
    expect(world.asked()).toEqual({ groq: 1, together: 1 })
  })
})

describe.each([false, true])('when every host fails, with stream %j', (stream) => {
  const nobody: [string, Scenario, number, JsonObject][] = [
    ['[ERR-18] refuses our key', vendorError('openai', 'invalid-key'), 502, { code: 'upstream_auth_failed' }],
    ['[ERR-18] forbids', vendorError('openai', 'invalid-key', { status: 403 }), 502, { code: 'upstream_auth_failed' }],
    ['[ERR-20] answers 500', faults.serverError(500), 502, { code: 'upstream_unavailable' }],
    ['[ERR-20] breaks off', faults.resetBeforeHeaders(), 502, { code: 'upstream_unavailable' }],
  ]
  it.each(nobody)('%s: the caller is told so, and pays nothing', (_what, scenario, status, error) =>
    expectRefusal(world, scenario, [status, { error }]),
  )

  it('[ERR-22] stays silent: the caller is told so, and pays nothing', () =>
    expectRefusal(impatient.short, faults.stallBeforeHeaders(), [504, { error: { code: 504 } }]))

  async function expectRefusal(place: HostsWorld, scenario: Scenario, refusal: [number, JsonObject]): Promise<void> {
    const caller = await place.gateway.createClient()
    place.reset(scenario)
    const reply = await place.chat({ stream }, caller)
    expect([reply.status, reply.json]).toMatchObject(refusal)
    expect(Object.keys(place.asked())).toHaveLength(4)
    expect(await place.gateway.walletOf(caller.walletId)).toEqual({ balance: '25', held: '0', charged: '0' })
  }
})

it('[STREAM-10] an answer that has begun is not taken over', async () => {
  world.hosts.groq.play(faults.resetMidStream())
  const caller = await world.gateway.createClient()
  const reply = await world.chat({ stream: true }, caller)
  expect(textOf(reply.chunks)).toBe('Hello world')
  expect(reply.chunks.at(-1)).toHaveProperty('error')
  expect(world.asked()).toEqual({ groq: 1 })
  expect(await world.gateway.walletOf(caller.walletId)).toMatchObject({ charged: '0', held: '0' })
})
