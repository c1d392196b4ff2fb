import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { errorOf } from '#test/chat/chat-world.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { type HostName, type HostsWorld, modelOf, second, shared, startHostsWorld } from './hosts-world.ts'

let world: HostsWorld
beforeAll(async () => {
  world = await startHostsWorld()
})
afterAll(() => world.close())
beforeEach(() => world.reset())

/** The order of the called providers when all fail. */
async function order(body: JsonObject): Promise<string[]> {
  world.reset(faults.serverError(500))
  const caller = await world.gateway.createClient()
  await world.chat(body, caller)
  const { rows } = await world.gateway.pool.query<{ attempts: { provider: string }[] }>(
    'SELECT attempts FROM generations WHERE wallet_id = $1',
    [caller.walletId],
  )
  // The final retry is not part of the order.
  const providers = [...new Set(rows[0]?.attempts.map(({ provider }) => provider))]
  expect(new Set(Object.keys(world.asked()))).toEqual(new Set(providers))
  return providers
}

/** The provider that responds when none fails, or null if the request was rejected for lack of a provider. */
async function answers(body: JsonObject): Promise<HostName | null> {
  world.reset()
  const reply = await world.chat(body)
  const asked = Object.keys(world.asked())
  if (reply.status === 503) {
    expect([errorOf(reply).code, asked]).toEqual(['upstream_unavailable', []])
    return null
  }
  expect(reply.status, reply.text).toBe(200)
  expect(asked).toHaveLength(1)
  return hostNamed(asked[0])
}

function hostNamed(name: string | undefined): HostName {
  if (name === 'groq' || name === 'together' || name === 'deepinfra' || name === 'fireworks') return name
  throw new Error(`no host ${name}`)
}

describe.each([false, true])('with stream %j', (stream) => {
  it('[ROUTE-19] the named providers are tried in that order, the others after them', async () => {
    expect(await answers({ stream, provider: { order: ['fireworks', 'deepinfra'] } })).toBe('fireworks')
    const provider = { order: ['Fireworks', 'deepinfra'], only: ['groq', 'deepinfra', 'fireworks'] }
    expect(await order({ stream, provider })).toEqual(['fireworks', 'deepinfra', 'groq'])
  })

  it('[ROUTE-20] nobody but the named providers is asked, and 503 is the answer when none of them can serve', async () => {
    expect(await order({ stream, provider: { only: ['together', 'fireworks'] } })).toEqual(['together', 'fireworks'])
    expect(await answers({ stream, provider: { only: ['anthropic'] } })).toBeNull()
  })

  it('[ROUTE-21] an ignored provider is not contacted, even when all others fail', async () => {
    expect(await order({ stream, provider: { ignore: ['groq', 'deepinfra'] } })).toEqual(['together', 'fireworks'])
  })

  it('[ROUTE-22] without fallbacks the first is asked alone', async () => {
    expect(await order({ stream, provider: { allow_fallbacks: false } })).toEqual(['groq'])
    expect(await order({ stream, provider: { allow_fallbacks: false, order: ['deepinfra'] } })).toEqual(['deepinfra'])
    const models = [shared, second]
    expect(await order({ stream, models, provider: { allow_fallbacks: false } })).toEqual(['groq'])
  })

  it('[ROUTE-23] the cheapest is first, by the price of input', async () => {
    expect(await order({ stream, provider: { sort: 'price' } })).toEqual(['deepinfra', 'together', 'fireworks', 'groq'])
    expect(await answers({ stream, provider: { sort: { by: 'price' } } })).toBe('deepinfra')
  })

  it('[ROUTE-23] hosts are compared within a model, or across models where the caller says so', async () => {
    const models = [second, shared]
    // The cheapest provider of the first model costs 0.1, that of the second 0.04.
    const within = await world.chat({ stream, model: second, models, provider: { sort: { by: 'price' } } })
    expect(modelOf(within)).toBe(second)
    const provider = { sort: { by: 'price', partition: 'none' } }
    expect(modelOf(await world.chat({ stream, model: second, models, provider }))).toBe(shared)
  })

  it('[ROUTE-24] who does not support every parameter is left out', async () => {
    const provider = { require_parameters: true }
    expect(await answers({ stream, temperature: 0.5, provider })).toBe('groq')
    expect(await answers({ stream, temperature: 0.5, logprobs: true, provider })).toBeNull()
    expect(await answers({ stream, temperature: 0.5, logprobs: true })).toBe('groq')
  })

  it('[ROUTE-25] who keeps prompts is left out for a caller who denies it', async () => {
    expect(await order({ stream, provider: { data_collection: 'deny' } })).toEqual(['fireworks'])
    expect(await order({ stream, provider: { data_collection: 'allow' } })).toHaveLength(4)
  })

  it('[ROUTE-26] who runs the model with another quantization is left out', async () => {
    expect(await order({ stream, provider: { quantizations: ['fp4'] } })).toEqual(['together', 'deepinfra'])
    expect(await order({ stream, provider: { quantizations: ['unknown'] } })).toEqual(['groq', 'fireworks'])
    expect(await answers({ stream, provider: { quantizations: ['bf16'] } })).toBeNull()
  })

  it('[ROUTE-27] who costs more is left out, by input or by output', async () => {
    expect(await order({ stream, provider: { max_price: { prompt: 0.06 } } })).toEqual(['together', 'deepinfra'])
    expect(await order({ stream, provider: { max_price: { completion: '0.2' } } })).toEqual(['deepinfra'])
    expect(await answers({ stream, provider: { max_price: { prompt: 0.01 } } })).toBeNull()
  })
})

it.each([
  { order: 'groq' },
  { only: [1] },
  { allow_fallbacks: 'no' },
  { sort: 'luck' },
  { require_parameters: 1 },
  { data_collection: 'maybe' },
  { max_price: { prompt: -1 } },
])('[ROUTE-19] a preference that can not be understood is refused, not ignored: %j', async (provider) => {
  const reply = await world.chat({ provider })
  expect(reply.status).toBe(400)
  expect(errorOf(reply).message).toContain('provider.')
  expect(world.asked()).toEqual({})
})
