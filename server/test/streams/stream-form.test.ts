import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { callChat, deltaOf, textOf } from '#test/setup/call-chat.ts'
import { payloadsOf } from '#test/setup/reply.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import { dataFrame } from '#test/simulators/scenarios/vendor-stream.ts'
import type { Scenario, Step } from '#test/simulators/scenario.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import { type MoneyWorld, startMoneyWorld, usageOf } from '#test/money/money-world.ts'
import { openStream } from './stream-client.ts'

let world: MoneyWorld
/**
 * This gateway times out a silent upstream, and is used for nothing else: on a busy machine any upstream may be silent
 * for as long.
 */
let impatient: MoneyWorld
let second: Simulator

beforeAll(async () => {
  second = await startSimulator()
  world = await startMoneyWorld()
  impatient = await startMoneyWorld({ WEIR_UPSTREAM_IDLE_TIMEOUT_MS: '1000' })
  const pattern = 'openai/gpt-4o-mini'
  for (const { addProvider, upstream } of [world, impatient]) {
    await addProvider({ vendor: 'openai', url: `${upstream.url}/v1`, name: 'first', pattern, priority: 0 })
    await addProvider({ vendor: 'azure', url: `${second.url}/v1`, name: 'second', pattern, priority: 1 })
  }
})
afterAll(async () => {
  await second.close()
  await impatient.close()
  await world.close()
})
beforeEach(() => {
  for (const upstream of [world.upstream, impatient.upstream, second]) {
    upstream.forget()
    upstream.play({ kind: 'echo' })
  }
})

describe('a chat stream', () => {
  it('[STREAM-01] is an event stream of chunks with one id and choices with deltas', async () => {
    const caller = await world.createClient()
    const reply = await world.call(caller, { stream: true })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const lines = reply.text.split('\n').filter((line) => line !== '')
    expect(lines.every((line) => line.startsWith('data: '))).toBe(true)
    for (const chunk of reply.chunks) {
      expect(chunk).toMatchObject({ object: 'chat.completion.chunk', id: reply.headers.get('x-generation-id') })
      expect(chunk.model).toBe('openai/gpt-5.2')
      expect(Array.isArray(chunk.choices)).toBe(true)
    }
    expect(textOf(reply.chunks)).toBe('Hello there my friend')
    expect(deltaOf(reply.chunks[0] ?? {}).role).toBe('assistant')
  })

  it('[STREAM-02] ends with a finish reason, usage with its cost, and [DONE], with nothing after it', async () => {
    const caller = await world.createClient()
    const reply = await world.call(caller, { stream: true })
    const finished = reply.chunks.flatMap(choicesOf).filter((choice) => choice.finish_reason === 'stop')
    expect(finished).toHaveLength(1)
    expect(usageOf(reply)).toMatchObject({ prompt_tokens: 6, completion_tokens: 4, total_tokens: 10 })
    expect(usageOf(reply).cost).toBeGreaterThan(0)
    expect(reply.text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(payloadsOf(reply.text).filter((payload) => payload === '[DONE]')).toHaveLength(1)
  })

  it.each<[string, Scenario]>([
    ['comments', faults.keepAliveComments()],
    ['a byte order mark', faults.bom()],
    ['CRLF', faults.shaped({ crlf: true })],
    ['every byte by itself', faults.shaped({ split: 'every-byte' })],
    ['no newline at its end', faults.shaped({ missingFinalNewline: true })],
    ['a document although a stream was asked for', faults.jsonAlthoughStreamAsked(['Hel', 'lo', ' world'])],
  ])('[STREAM-02] is the same when the upstream sends %s', async (_what, scenario) => {
    const caller = await world.createClient()
    world.upstream.play(scenario)
    const reply = await world.call(caller, { stream: true })
    expect(textOf(reply.chunks)).toBe('Hello world')
    expect(usageOf(reply)).toMatchObject({ prompt_tokens: 16, completion_tokens: 3 })
    expect(reply.sawDone).toBe(true)
  })

  it('[STREAM-04] has no event lines, not even those of its upstream', async () => {
    const caller = await world.createClient()
    const scenario = goodStream({})
    const steps = scenario.steps.map(
      (step): Step => (step.do === 'write' ? { do: 'write', text: `event: heartbeat\nid: 7\n${step.text}` } : step),
    )
    world.upstream.play({ kind: 'steps', steps })
    const reply = await callChat(world.as(caller), { stream: true }, { headers: { accept: 'text/event-stream' } })
    expect(reply.text).not.toMatch(/^(event|id|retry):/m)
    expect(textOf(reply.chunks)).toBe('Hello world')
  })

  it.each([false, true])('[STREAM-14] carries the id that GET /v1/generation accepts, stream: %s', async (stream) => {
    const caller = await world.createClient()
    const reply = await world.call(caller, { stream })
    const id = reply.headers.get('x-generation-id') ?? ''
    expect(id).toMatch(/^gen-[0-9a-f]{32}$/)
    expect(await world.get(caller, `/v1/generation?id=${id}`)).toMatchObject({ id, streamed: stream })
  })

  it.each([false, true])('[STREAM-14] a failed call carries one as well, stream: %s', async (stream) => {
    const caller = await world.createClient()
    world.upstream.play(faults.serverError(500))
    const reply = await world.call(caller, { stream })
    const id = reply.headers.get('x-generation-id') ?? ''
    expect(await world.get(caller, `/v1/generation?id=${id}`)).toMatchObject({ id, refund_reason: 'upstream_failed' })
  })
})

describe('a failure after chunks were sent', () => {
  it.each<[string, Scenario]>([
    ['[STREAM-07] an error frame', faults.textThenError()],
    ['[STREAM-07] an error frame and [DONE]', faults.textThenError({ doneAfterError: true })],
    ["[STREAM-07] another vendor's error frame", faults.textThenError({ vendor: 'openrouter' })],
    ['[STREAM-07] a reset', faults.resetMidStream()],
    ['[STREAM-09] [P18] a clean but early end', faults.truncatedStream()],
    ['[STREAM-08] a finish reason of error with the error on its choice', choiceError()],
    ['[STREAM-07] a frame that is not JSON', faults.invalidJsonFrame()],
  ])('%s gives one error frame, then [DONE], with status 200, unbilled', (_what, scenario) =>
    expectInterrupted(world, scenario),
  )

  it('[STREAM-13] a stall gives one error frame, then [DONE], with status 200, unbilled', () =>
    expectInterrupted(impatient, stalling()))

  it('[STREAM-10] is never taken over by another provider', async () => {
    const caller = await world.createClient()
    world.upstream.play(faults.resetMidStream())
    const reply = await world.call(caller, { stream: true, model: 'openai/gpt-4o-mini' })
    expect(reply.chunks.at(-1)).toHaveProperty('error')
    expect(second.requests).toHaveLength(0)
  })

  it('[HOLD-09] that comes after the last usage takes nothing from the answer, which is charged', async () => {
    const caller = await world.createClient()
    const whole = goodStream({})
    const steps = whole.steps.filter(
      (step) => !(step.do === 'write' && step.text.includes('[DONE]')) && step.do !== 'end',
    )
    world.upstream.play({ kind: 'steps', steps: [...steps, { do: 'reset' }] })
    const reply = await world.call(caller, { stream: true })
    expect(reply.chunks.some((chunk) => chunk.error !== undefined)).toBe(false)
    expect(usageOf(reply)).toMatchObject({ prompt_tokens: 16, completion_tokens: 3 })
    expect(reply.sawDone).toBe(true)
    expect(await world.walletOf(caller.walletId)).toMatchObject({ charged: '0.00006', held: '0' })
  })
})

describe('a failure before the first byte', () => {
  it.each<[string, Scenario]>([
    ['an HTTP error', faults.serverError(500)],
    ['[STREAM-09] [P18] a role and then a clean end', roleOnly()],
    ['[STREAM-09] an empty stream', faults.emptyBody()],
    ['an error frame at once', faults.textThenError({ pieces: [] })],
    ['a reset', faults.resetBeforeHeaders()],
  ])('[STREAM-10] of the first provider is made up for by the second: %s', (_what, scenario) =>
    expectMadeUpFor(world, scenario),
  )

  it('[STREAM-10] of the first provider is made up for by the second: a stall after the role', () =>
    expectMadeUpFor(impatient, faults.roleOnlyThenStall()))

  it('[STREAM-11] of all providers is an ordinary HTTP error with a JSON body', async () => {
    const caller = await world.createClient()
    world.upstream.play(faults.serverError(500))
    second.play(faults.emptyBody())
    const reply = await world.call(caller, { stream: true, model: 'openai/gpt-4o-mini' })
    expect(reply.status).toBe(502)
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
    expect(reply.json).toMatchObject({ error: { code: 'upstream_unavailable' } })
    await world.expectRefunded(caller, 'upstream_failed')
  })
})

it('each piece is passed on as it comes, not collected', async () => {
  const caller = await world.createClient()
  world.upstream.play(insertAfterWrites(goodStream({}), 2, { do: 'gate', name: 'half' }))
  const client = await openStream(world.as(caller))
  await client.waitFor('"Hel"')
  await world.upstream.waitForGate('half')
  expect(client.text).not.toContain('world')
  world.upstream.release('half')
  expect(await client.end()).toContain('world')
})

function stalling(): Scenario {
  const { steps } = faults.truncatedStream()
  return { kind: 'steps', steps: [...steps.slice(0, -1), { do: 'stall' }] }
}

function roleOnly(): Scenario {
  const { steps } = faults.roleOnlyThenStall()
  return { kind: 'steps', steps: [...steps.slice(0, -1), { do: 'end' }] }
}

function choiceError(): Scenario {
  const { steps } = faults.truncatedStream()
  const error = { message: 'Overloaded', code: 502 }
  const chunk = {
    id: 'x',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: {}, finish_reason: 'error', error }],
  }
  return { kind: 'steps', steps: [...steps.slice(0, -1), { do: 'write', text: dataFrame(chunk) }, { do: 'end' }] }
}

function choicesOf(chunk: JsonObject): JsonObject[] {
  return Array.isArray(chunk.choices) ? chunk.choices.filter(isJsonObject) : []
}

async function expectInterrupted(place: MoneyWorld, scenario: Scenario): Promise<void> {
  const caller = await place.createClient()
  place.upstream.play(scenario)
  const reply = await place.call(caller, { stream: true })
  expect(reply.status).toBe(200)
  expect(textOf(reply.chunks.slice(0, -1))).toBe('Hello world')
  const errors = reply.chunks.filter((chunk) => chunk.error !== undefined)
  expect(errors).toHaveLength(1)
  expect(errors[0]).toBe(reply.chunks.at(-1))
  expect(errors[0]).toEqual({
    error: { message: expect.any(String), type: expect.any(String), code: expect.anything() },
  })
  expect(reply.text.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(reply.chunks.flatMap(choicesOf).some((choice) => typeof choice.finish_reason === 'string')).toBe(false)
  await place.expectRefunded(caller, 'stream_interrupted')
}

async function expectMadeUpFor(place: MoneyWorld, scenario: Scenario): Promise<void> {
  const caller = await place.createClient()
  place.upstream.play(scenario)
  const reply = await place.call(caller, { stream: true, model: 'openai/gpt-4o-mini' })
  expect(reply.status).toBe(200)
  expect(textOf(reply.chunks)).toBe('Hello there my friend')
  expect(reply.chunks.some((chunk) => chunk.error !== undefined)).toBe(false)
  expect(second.requests).toHaveLength(1)
  expect(await place.lastRecord(caller)).toMatchObject({ provider: 'azure', is_failover: true })
}
