import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { callChat, hello, textOf } from '#test/setup/call-chat.ts'
import type { Reply } from '#test/setup/reply.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { type HostName, type HostsWorld, shared, startHostsWorld } from './hosts-world.ts'

// The pause before a second provider is asked ends when a test says so. No pause before a retry.
const pauses: { readonly ms: number; end(): void }[] = []
const wait = (ms: number, signal?: AbortSignal): Promise<void> => {
  if (signal === undefined) return Promise.resolve()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  pauses.push({ ms, end: resolve })
  signal.addEventListener('abort', () => reject(new Error('over')))
  return promise
}

let world: HostsWorld
beforeAll(async () => {
  world = await startHostsWorld({}, { wait })
})
afterAll(() => world.close())
beforeEach(() => {
  world.reset()
  pauses.splice(0)
})

const hedged = { provider: { only: ['groq', 'deepinfra'], order: ['groq', 'deepinfra'], hedge_after_ms: 500 } }
// 6 input and 4 output tokens.
const price = { groq: 0.0000026, deepinfra: 0.00000088 }

/** A client with requests that earned this number of hedges. */
async function clientWith(hedges: number): Promise<TestClient> {
  const client = await world.gateway.createClient()
  for (let request = 0; request < hedges * 20; request += 1) {
    expect((await world.chat(hedged, client)).status).toBe(200)
  }
  world.reset()
  pauses.splice(0)
  return client
}

const usage = { prompt: 6, completion: 4 }
const pieces = ['Hello there', ' my friend']

/** Answers like an echo, but only once the gate with its name is opened. */
function slow(host: HostName, stream: boolean): Scenario {
  const answer =
    stream === true ? goodStream({ pieces }, usage) : vendorCompletion('openai', { kind: 'text', pieces, usage })
  return { ...answer, steps: [{ do: 'gate', name: host }, ...answer.steps] }
}

/** Sends a request whose first provider keeps silent, and ends the pause after it. */
async function sendSlow(
  client: TestClient,
  body: JsonObject & { stream: boolean },
  headers: Record<string, string> = {},
): Promise<{ reply: Promise<Reply> }> {
  world.hosts.groq.playNext(slow('groq', body.stream))
  const reply = callChat(world.gateway.as(client), { model: shared, ...hedged, ...body }, { headers })
  await world.hosts.groq.waitForGate('groq')
  endPause()
  return { reply }
}

/** Without a pause no second provider will be asked, and the request would wait for the first one for ever. */
function endPause(): void {
  const pause = pauses.at(-1)
  if (pause === undefined) {
    world.hosts.groq.release('groq')
    expect.fail('the gateway waits for no second provider')
  }
  pause.end()
}

/** Waits until the wallet had no hedge left so many times, or its request was answered although it had one. */
async function expectOverBudget({ reply }: { reply: Promise<unknown> }, before: number, times: number): Promise<void> {
  let isAnswered = false
  void reply.then(() => {
    isAnswered = true
  })
  await expect.poll(async () => isAnswered || (await count('over_budget')) - before === times).toBe(true)
  expect((await count('over_budget')) - before).toBe(times)
}

async function chargedTo({ walletId }: TestClient): Promise<number> {
  return Number((await world.gateway.walletOf(walletId)).charged)
}

async function metric(name: string): Promise<number> {
  const line = (await world.gateway.readMetrics()).split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}

const count = (outcome: string): Promise<number> => metric(`weir_hedges_total{outcome="${outcome}"}`)

async function recordOf({ walletId }: TestClient): Promise<{ attempts: JsonObject[] }> {
  const text = 'SELECT attempts FROM generations WHERE wallet_id = $1 ORDER BY id DESC LIMIT 1'
  const { rows } = await world.gateway.pool.query<{ attempts: JsonObject[] }>(text, [walletId])
  return rows[0] ?? expect.fail('nothing was recorded')
}

describe.each([false, true])('a slow provider, with stream %j', (stream) => {
  it('[NEXT-102] [NEXT-103] is overtaken by a second one, which alone is charged', async () => {
    const client = await clientWith(1)
    const [before, won] = [await chargedTo(client), await count('won')]
    const reply = await (await sendSlow(client, { stream })).reply
    expect(reply.status, reply.text).toBe(200)
    expect(stream ? textOf(reply.chunks) : reply.text).toContain('Hello there my friend')
    await world.hosts.groq.waitForAbort()
    expect(world.asked()).toEqual({ groq: 1, deepinfra: 1 })
    expect(pauses.map(({ ms }) => ms)).toEqual([500])
    expect((await chargedTo(client)) - before).toBeCloseTo(price.deepinfra, 12)
    expect(await world.gateway.walletOf(client.walletId)).toMatchObject({ held: '0' })
    expect((await count('won')) - won).toBe(1)
    expect(await auditLedger(world.gateway.pool, { overdueMs: 0 })).toEqual([])
  })

  it('[NEXT-102] [NEXT-103] that answers before the second one is charged, and the second one is cancelled', async () => {
    const client = await clientWith(1)
    const [before, lost] = [await chargedTo(client), await count('lost')]
    const { groq, deepinfra } = world.hosts
    deepinfra.playNext(slow('deepinfra', stream))
    const { reply } = await sendSlow(client, { stream })
    await deepinfra.waitForGate('deepinfra')
    groq.release('groq')
    expect((await reply).status).toBe(200)
    await deepinfra.waitForAbort()
    expect((await chargedTo(client)) - before).toBeCloseTo(price.groq, 12)
    expect((await count('lost')) - lost).toBe(1)
  })

  it('[NEXT-105] shows both attempts on the receipt, without the cost of the lost one, which operators see', async () => {
    const client = await clientWith(1)
    const costBefore = await metric('weir_hedge_cost_usd_total')
    const reply = await (await sendSlow(client, { stream })).reply
    const id = reply.headers.get('x-generation-id')
    const receipt = (await world.gateway.as(client).get(`/v1/generation?id=${id}`)).data
    expect(receipt).toMatchObject({ provider: 'deepinfra', is_failover: true, total_cost: price.deepinfra })
    const { attempts } = receipt['routing'] as { attempts: JsonObject[] }
    const shown = { model: shared, duration_ms: expect.any(Number) }
    expect(attempts).toEqual([
      { ...shown, provider: 'groq', outcome: 'hedge_lost', status: null },
      { ...shown, provider: 'deepinfra', outcome: 'answered', status: 200 },
    ])
    const [lost, answered] = (await recordOf(client)).attempts
    expect(lost).toMatchObject({ outcome: 'hedge_lost', estimatedUsd: expect.stringMatching(/^0\.0000/) })
    expect(answered).not.toHaveProperty('estimatedUsd')
    expect((await metric('weir_hedge_cost_usd_total')) - costBefore).toBeCloseTo(Number(lost?.['estimatedUsd']), 12)
  })

  it('[NEXT-103] is cancelled with the second one when the client leaves, and nothing is charged', async () => {
    const client = await clientWith(1)
    const before = await chargedTo(client)
    const { groq, deepinfra } = world.hosts
    groq.playNext(slow('groq', stream))
    deepinfra.playNext(slow('deepinfra', stream))
    const leaving = new AbortController()
    const { url, key } = world.gateway.as(client)
    const left = fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: shared, messages: hello, ...hedged, stream }),
      signal: leaving.signal,
    })
    await groq.waitForGate('groq')
    endPause()
    await deepinfra.waitForGate('deepinfra')
    leaving.abort()
    await expect(left).rejects.toThrow()
    await Promise.all([groq.waitForAbort(), deepinfra.waitForAbort()])
    await expect.poll(() => world.gateway.walletOf(client.walletId)).toMatchObject({ held: '0' })
    expect(await chargedTo(client)).toBe(before)
  })
})

describe('hedges', () => {
  it('[NEXT-107] are at most 5 % of the requests of a wallet, whatever another wallet has saved', async () => {
    const [busy, quiet] = [await clientWith(2), await clientWith(0)]
    const over = await count('over_budget')
    const { reply } = await sendSlow(quiet, { stream: false })
    await expectOverBudget({ reply }, over, 1)
    world.hosts.groq.release('groq')
    expect((await reply).status).toBe(200)
    expect(world.asked()).toEqual({ groq: 1 })
    world.reset()
    // The debt of the first is not paid by the charges of 20 requests alone: its estimate is above its charge.
    expect((await (await sendSlow(busy, { stream: false })).reply).status).toBe(200)
    expect(world.asked()).toEqual({ groq: 1, deepinfra: 1 })
    world.reset()
    const again = await sendSlow(busy, { stream: false })
    await expectOverBudget(again, over, 2)
    world.hosts.groq.release('groq')
    expect((await again.reply).status).toBe(200)
    expect(world.asked()).toEqual({ groq: 1 })
  })

  it('[NEXT-109] are only for requests that ask for them', async () => {
    const client = await clientWith(1)
    const { hedge_after_ms: _, ...provider } = hedged.provider
    expect((await world.chat({ provider }, client)).status).toBe(200)
    expect(pauses).toEqual([])
    const refused = await world.chat({ provider: { hedge_after_ms: 10 } }, client)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('provider.hedge_after_ms')
  })

  it('[NEXT-106] wait as long as measured with `auto`, once enough was measured', async () => {
    const auto = { provider: { ...hedged.provider, hedge_after_ms: 'auto' } }
    const client = await world.gateway.createClient()
    expect((await world.chat({ ...auto, stream: true }, client)).status).toBe(200)
    expect(pauses).toEqual([])
    const pausesAfter = async (): Promise<number> => {
      for (let request = 0; request < 20; request += 1) await world.chat({ ...auto, stream: true }, client)
      return pauses.length
    }
    await expect.poll(pausesAfter, { timeout: 30_000 }).toBeGreaterThan(0)
    for (const { ms } of pauses) expect(ms).toBeGreaterThanOrEqual(50)
  })

  it('[NEXT-103] replay the answer that won to a retry with the same idempotency key', async () => {
    const client = await clientWith(1)
    const headers = { 'idempotency-key': 'hedged-1' }
    const first = await (await sendSlow(client, { stream: true }, headers)).reply
    const before = await chargedTo(client)
    const again = await callChat(world.gateway.as(client), { model: shared, ...hedged, stream: true }, { headers })
    expect([again.text, again.headers.get('x-weir-replayed')]).toEqual([first.text, 'true'])
    expect(world.asked()).toEqual({ groq: 1, deepinfra: 1 })
    expect(await chargedTo(client)).toBe(before)
  })
})
