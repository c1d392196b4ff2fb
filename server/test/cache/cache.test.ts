import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { gatedCompletion } from '#test/drills/setup/gated-stream.ts'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { hello } from '#test/setup/call-chat.ts'
import type { Credential } from '#test/setup/client.ts'
import type { Reply } from '#test/setup/reply.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { vendorError } from '#test/simulators/scenarios/vendor-error.ts'

// A whole answer costs 0.006.
let world: KeyWorld
// Of the gateway, ahead of the real one: after five seconds it reads rows again.
let aheadMs = 0
beforeAll(async () => {
  world = await startKeyWorld(
    { nowMs: () => Date.now() + aheadMs },
    { WEIR_CACHE_JOIN_MS: '20000', WEIR_TEST_MODELS_ENABLED: 'true' },
  )
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.upstream.forget()
  world.upstream.play(answerOf('Hi'))
})

const usage = { prompt: 0, completion: 500 }
const answerOf = (text: string) => vendorCompletion('openai', { kind: 'text', pieces: [text], usage })
const cached = { cache: true }

function send(as: Credential, body: JsonObject = cached, headers: Record<string, string> = {}): Promise<Reply> {
  const plain = { model: 'openai/gpt-5.2', messages: hello, max_tokens: 500 }
  return world.as(as).post('/v1/chat/completions', { ...plain, ...body }, { headers })
}

const outcomeOf = ({ headers }: Reply): string | null => headers.get('x-weir-cache')
const chargedTo = async ({ walletId }: TestClient): Promise<unknown> => (await world.walletOf(walletId)).charged

async function receiptOf(caller: TestClient, reply: Reply): Promise<JsonObject> {
  return world.get(caller, `/v1/generation?id=${reply.headers.get('x-generation-id')}`)
}

describe('a request that asks for the cache', () => {
  it('[NEXT-80] [NEXT-85] gets the kept answer as a request of its own, for nothing', async () => {
    const caller = await world.createClient({ usd: '25' })
    const first = await send(caller)
    world.upstream.play(answerOf('another answer'))
    const second = await send(caller)
    expect([first, second].map(outcomeOf)).toEqual(['miss', 'hit'])
    expect(second.json).toMatchObject({ choices: first.json.choices, usage: { completion_tokens: 500, cost: 0 } })
    expect(second.json.id).not.toBe(first.json.id)
    expect(world.upstream.requests).toHaveLength(1)
    expect(await chargedTo(caller)).toBe('0.006')
    const told = { cache: 'hit', cached_from: first.json.id, cache_price_percent: 0, refund_reason: 'cache_hit' }
    const receipt = await receiptOf(caller, second)
    expect(receipt).toMatchObject({ ...told, id: second.json.id, total_cost: 0, receipt: null })
    expect(receipt).toMatchObject({ routing: { attempts: [] } })
    expect(await receiptOf(caller, first)).not.toHaveProperty('cache')
    await world.expectSoundBooks()
  })

  it('[NEXT-80] [NEXT-87] keeps nothing for a request without it', async () => {
    const caller = await world.createClient({ usd: '25' })
    for (const body of [{}, { cache: false }, { cache: null }]) expect(outcomeOf(await send(caller, body))).toBeNull()
    expect(world.upstream.requests).toHaveLength(3)
    expect(await statesOf(caller)).toEqual([])
  })

  it('[NEXT-81] shares answers between keys, customers, tags and runs of its wallet', async () => {
    const caller = await world.createClient({ usd: '25' })
    const sibling = await world.addKey(caller.userId)
    expect(outcomeOf(await send(caller))).toBe('miss')
    expect(outcomeOf(await send(sibling))).toBe('hit')
    const headers = {
      'x-weir-customer': 'acme',
      'x-weir-tags': 'team=search',
      'x-weir-run': 'r',
      'idempotency-key': 'k',
    }
    const hit = await send(caller, cached, headers)
    expect(outcomeOf(hit)).toBe('hit')
    expect(await receiptOf(caller, hit)).toMatchObject({ customer: 'acme', run: 'r', tags: { team: 'search' } })
    expect((await send(caller, cached, headers)).text).toBe(hit.text)
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('[NEXT-82] never gets the answer of another wallet or of another token', async () => {
    const [caller, stranger] = [await world.createClient({ usd: '25' }), await world.createClient({ usd: '25' })]
    expect(outcomeOf(await send(caller))).toBe('miss')
    expect(outcomeOf(await send(stranger))).toBe('miss')
    expect(world.upstream.requests).toHaveLength(2)
  })

  it('[NEXT-84] makes one upstream call with many others at once', async () => {
    const caller = await world.createClient({ usd: '25' })
    world.upstream.playNext(gatedCompletion('slow'))
    const replies = Array.from({ length: 20 }, () => send(caller))
    await world.upstream.waitForGate('slow')
    world.upstream.release('slow')
    const outcomes = (await Promise.all(replies)).map(outcomeOf)
    expect(outcomes.toSorted()).toEqual([...Array.from({ length: 19 }, () => 'hit'), 'miss'])
    expect(world.upstream.requests).toHaveLength(1)
    await world.expectSoundBooks()
  })

  it('[NEXT-84] asks the upstream after an identical request has failed', async () => {
    const caller = await world.createClient({ usd: '25' })
    world.upstream.play(vendorError('openai', 'server-error'))
    expect((await send(caller)).status).toBeGreaterThanOrEqual(500)
    world.upstream.play(answerOf('Hi'))
    expect([await send(caller), await send(caller)].map(outcomeOf)).toEqual(['miss', 'hit'])
  })

  it('[NEXT-84] asks the upstream after an identical request could not be paid', async () => {
    const caller = await world.createClient({ usd: '0.001' })
    expect((await send(caller)).status).toBe(402)
    await expect.poll(() => statesOf(caller)).toEqual([])
  })

  it('[NEXT-84] takes over from a gateway that counts as dead', async () => {
    const caller = await world.createClient({ usd: '25' })
    world.upstream.playNext(gatedCompletion('slow'))
    const slow = send(caller)
    await world.upstream.waitForGate('slow')
    const text = `UPDATE cached_answers SET lease_until = now() - interval '1 s' WHERE wallet_id = $1`
    await world.pool.query(text, [caller.walletId])
    expect([await send(caller), await send(caller)].map(outcomeOf)).toEqual(['miss', 'hit'])
    world.upstream.release('slow')
    expect((await slow).status).toBe(200)
    expect(outcomeOf(await send(caller))).toBe('hit')
    expect(world.upstream.requests).toHaveLength(2)
    await world.expectSoundBooks()
  })

  it('[NEXT-87] gets no answer that is older than it accepts', async () => {
    const caller = await world.createClient({ usd: '25' })
    expect(outcomeOf(await send(caller, { cache: { ttl_seconds: 3_600 } }))).toBe('miss')
    await expect.poll(async () => outcomeOf(await send(caller, { cache: { ttl_seconds: 3_600 } }))).toBe('hit')
    await age(caller, 120)
    expect(outcomeOf(await send(caller, { cache: { ttl_seconds: 3_600 } }))).toBe('hit')
    expect(outcomeOf(await send(caller, { cache: { ttl_seconds: 60 } }))).toBe('miss')
    expect(outcomeOf(await send(caller, { cache: { ttl_seconds: 3_600 } }))).toBe('hit')
    // The gateway still knows the older answer while the row gets the new one.
    await expect.poll(() => statesOf(caller)).toEqual(['complete'])
    await age(caller, 61)
    expect(outcomeOf(await send(caller, { cache: { ttl_seconds: 3_600 } }))).toBe('miss')
  })

  it.each([
    ['`cache` must be', ['yes', 1, {}, { ttl: 5 }, { ttl_seconds: 5, mode: 'semantic' }]],
    [
      '`cache.ttl_seconds` must be',
      [{ ttl_seconds: 0 }, { ttl_seconds: 1.5 }, { ttl_seconds: 86_401 }, { ttl_seconds: '5' }],
    ],
  ])('[NEXT-88] is refused with "%s"', async (words, wishes) => {
    const caller = await world.createClient({ usd: '25' })
    for (const cache of wishes) {
      const reply = await send(caller, { cache })
      expect([reply.status, reply.error], JSON.stringify(cache)).toMatchObject([
        400,
        { message: expect.stringContaining(words) },
      ])
    }
    expect(world.upstream.requests).toEqual([])
  })

  it('[NEXT-88] is refused for media, and sends no upstream the field', async () => {
    const caller = world.as(await world.createClient({ usd: '25' }))
    const image = { model: 'test/image', prompt: 'A weir', cache: true }
    expect(await caller.post('/v1/images/generations', image)).toMatchObject({
      status: 400,
      error: {
        message:
          '`cache` works only for chat completions, responses, messages and embeddings. Remove it from this request.',
      },
    })
    for (const [path, body] of [
      ['/v1/chat/completions', { messages: hello }],
      ['/v1/messages', { messages: hello }],
      ['/v1/responses', { input: 'Hello' }],
    ] as const) {
      const whole = { model: 'openai/gpt-5.2', max_tokens: 500, max_output_tokens: 500, ...body, ...cached }
      const reply = await caller.post(path, whole)
      expect(reply.status, reply.text).toBe(200)
      expect(reply.headers.get('x-params-ignored') ?? '').not.toContain('cache')
    }
    expect(world.upstream.requests).toHaveLength(3)
    for (const { body } of world.upstream.requests) expect(body).not.toHaveProperty('cache')
  })
})

/** Lets the kept answers of a client be older by some seconds. */
async function age({ walletId }: TestClient, seconds: number): Promise<void> {
  const text = `UPDATE cached_answers SET filled_at = filled_at - $2 * interval '1 s',
    expires_at = expires_at - $2 * interval '1 s' WHERE wallet_id = $1`
  await world.pool.query(text, [walletId, seconds])
  aheadMs += 5_000
}

async function statesOf({ walletId }: TestClient): Promise<string[]> {
  const text = 'SELECT state FROM cached_answers WHERE wallet_id = $1'
  const { rows } = await world.pool.query<{ state: string }>(text, [walletId])
  return rows.map(({ state }) => state)
}

/** Without what belongs to one request: its id, its time and its cost. */
function contentOf({ text }: Reply): string {
  return text.replaceAll(/"id":"gen-[^"]+"|"created":\d+|"cost":[\d.e-]+/g, '')
}

/** The outcomes of a request that is sent twice. */
async function kept(caller: TestClient, body: JsonObject = cached): Promise<(string | null)[]> {
  return [outcomeOf(await send(caller, body)), outcomeOf(await send(caller, body))]
}

describe('a streamed hit', () => {
  it('[NEXT-83] is the same stream', async () => {
    const caller = await world.createClient({ usd: '25' })
    world.upstream.play(goodStream({}))
    const [first, second] = [
      await send(caller, { stream: true, cache: true }),
      await send(caller, { stream: true, cache: true }),
    ]
    expect([first, second].map(outcomeOf)).toEqual(['miss', 'hit'])
    expect([second.isStream, second.sawDone]).toEqual([true, true])
    expect(contentOf(second)).toBe(contentOf(first))
    // A document is another answer than a stream.
    world.upstream.play(answerOf('Hi'))
    expect(outcomeOf(await send(caller))).toBe('miss')
    await world.expectSoundBooks()
  })
})

describe('a long streamed hit', () => {
  it('[NEXT-83] is the same stream for many requests at once, each with its own id', async () => {
    const caller = await world.createClient({ usd: '25' })
    const pieces = Array.from({ length: 600 }, (_, index) => `wört ${index} ✓`)
    world.upstream.play(goodStream({ pieces }))
    const body = { stream: true, cache: true, max_tokens: 5_000 }
    const first = await send(caller, body)
    for (let turn = 0; turn < 3; turn += 1) {
      const hits = await Promise.all(Array.from({ length: 6 }, () => send(caller, body)))
      for (const hit of hits) {
        expect([outcomeOf(hit), hit.sawDone]).toEqual(['hit', true])
        expect(contentOf(hit)).toBe(contentOf(first))
        const ids = new Set(hit.text.match(/gen-[0-9a-f]{32}/g))
        expect([...ids]).toEqual([hit.headers.get('x-generation-id')])
      }
    }
    expect(world.upstream.requests).toHaveLength(1)
    await world.expectSoundBooks()
  })
})

describe('embeddings', () => {
  it('[NEXT-80] are kept like text', async () => {
    const caller = await world.createClient({ usd: '25' })
    const embed = (input: string) =>
      world.as(caller).post('/v1/embeddings', { model: 'test/embedding', input, cache: true })
    const [first, second, other] = [await embed('Hello'), await embed('Hello'), await embed('Good bye')]
    expect([first, second, other].map(outcomeOf)).toEqual(['miss', 'hit', 'miss'])
    expect(second.json).toEqual(first.json)
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'))
    const from = first.headers.get('x-generation-id')
    expect(await receiptOf(caller, second)).toMatchObject({
      cache: 'hit',
      cached_from: from,
      refund_reason: 'cache_hit',
    })
    await world.expectSoundBooks()
  })
})

describe('a repeated hit', () => {
  it('[NEXT-114] reads its row again after five seconds', async () => {
    const caller = await world.createClient({ usd: '25' })
    expect(await kept(caller)).toEqual(['miss', 'hit'])
    await world.pool.query('DELETE FROM cached_answers WHERE wallet_id = $1', [caller.walletId])
    expect(outcomeOf(await send(caller))).toBe('hit')
    aheadMs += 5_000
    expect(outcomeOf(await send(caller))).toBe('miss')
  })
})

describe('an answer', () => {
  it.each([
    ['is cut off by the cap of the request', 'length', { max_tokens: 500 }, ['miss', 'hit']],
    ['is cut off without a cap of the request', 'length', { max_tokens: null }, ['miss', 'bypass']],
    ['is filtered', 'content_filter', {}, ['miss', 'bypass']],
    ['calls tools', 'tool_calls', {}, ['miss', 'hit']],
  ] as const)('[NEXT-86] that %s is kept as it should', async (_name, reason, body, outcomes) => {
    const caller = await world.createClient({ usd: '25' })
    world.upstream.play(finished(reason))
    expect(await kept(caller, { ...cached, ...body })).toEqual(outcomes)
  })

  it('[NEXT-86] that has several choices is not kept', async () => {
    const caller = await world.createClient({ usd: '25' })
    expect(await kept(caller, { ...cached, n: 2 })).toEqual(['bypass', 'bypass'])
  })

  it('[NEXT-86] that is too long is not kept', async () => {
    const caller = await world.createClient({ usd: '25' })
    world.upstream.play(answerOf('long '.repeat(220_000)))
    expect(await kept(caller)).toEqual(['miss', 'bypass'])
    expect(world.upstream.requests).toHaveLength(2)
  })
})

/** An answer with another finish reason. */
function finished(reason: string) {
  const scenario = answerOf('Hi')
  const text = JSON.stringify(scenario)
  expect(text).toContain('stop')
  return JSON.parse(text.replaceAll('\\"stop\\"', `\\"${reason}\\"`)) as typeof scenario
}
