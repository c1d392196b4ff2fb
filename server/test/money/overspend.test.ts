import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { createTestClock } from '#test/setup/clock.ts'
import type { Reply } from '#test/setup/reply.ts'
import { type Greed, type GreedyUpstream, startGreedyUpstream } from './greedy-upstream.ts'
import { importModels } from './import-models.ts'
import { type MoneyWorld, startMoneyWorld } from './money-world.ts'

/** How many times the random rounds are played; a long run sets it to thousands. */
const rounds = Number(process.env['WEIR_OVERSPEND_ROUNDS'] ?? 6)

const clock = createTestClock('2046-03-03T03:03:03Z')
let world: MoneyWorld
let second: { url: string; close(): Promise<void> }
let upstream: GreedyUpstream
let dearer: GreedyUpstream

const plain = { prompt: '0.000001', completion: '0.00001' }
const models = [
  { id: 'acme/plain', pricing: plain },
  { id: 'acme/reasoning', pricing: { ...plain, reasoning: '0.0001' } },
  { id: 'acme/thinker', pricing: plain, reasons: true },
  {
    id: 'acme/caching',
    pricing: { ...plain, cache_read: '0.0000001', cache_write: '0.00000125', cache_write_1h: '0.000002' },
  },
  { id: 'acme/audio', pricing: { ...plain, audio_input: '0.00004', audio_output: '0.00008' } },
  { id: 'acme/fee', pricing: { ...plain, per_request: '0.002' } },
  {
    id: 'acme/tiers',
    pricing: plain,
    tiers: [{ above_prompt_tokens: 1_000, prompt: '0.000004', completion: '0.00004' }],
  },
  { id: 'acme/usable', pricing: { prompt: '0.000001', completion: '0.000015' } },
  { id: 'acme/usable-thinker', pricing: { prompt: '0.000001', completion: '0.000015' }, reasons: true },
].map((model) => ({ provider: 'openai', maxCompletionTokens: 64_000, inputs: ['text', 'image', 'audio'], ...model }))

beforeAll(async () => {
  world = await startMoneyWorld({}, clock)
  second = await startSecondGateway(
    world,
    { WEIR_LIMITS_INFERENCE_FUNDED: '100000', WEIR_LIMITS_INFERENCE_LOW: '100000' },
    clock,
  )
  upstream = await startGreedyUpstream()
  dearer = await startGreedyUpstream()
  await importModels(world.pool, models)
  const greedy = { vendor: 'openai', url: `${upstream.url}/v1`, pattern: 'acme/*', priority: 0, name: 'greedy' }
  await world.addProvider(greedy)
  await world.addProvider({
    vendor: 'deepinfra',
    url: `${dearer.url}/v1`,
    pattern: 'acme/*',
    priority: 1,
    name: 'dearer',
  })
  await world.gateway.refresh()
})
afterAll(async () => {
  await second.close()
  await upstream.close()
  await dearer.close()
  await world.close()
})

interface Attack {
  readonly body: JsonObject
  readonly greed: Greed
  /** What the limit is at. */
  readonly usd: string
  readonly calls: number
}

type Limit = 'wallet' | 'key' | 'budget' | 'credit line'

interface Victim {
  readonly key: string
  readonly walletId: string
}

/** Somebody with exactly so much to spend, in one way or another. */
async function victimOf(limit: Limit, usd: string): Promise<Victim> {
  switch (limit) {
    case 'wallet':
      return world.createCaller({ usd })
    case 'key':
      return world.createCaller({ usd: '1000', terms: { limit: parseUsd(usd), period: 'month' } })
    case 'budget': {
      const { id, walletId } = await world.createOrganization({ usd: '1000' })
      const { memberId } = await world.addMember(id, { monthlyBudgetUsd: usd })
      return { walletId, ...(await world.addOrganizationKey(id, { memberId })) }
    }
    case 'credit line': {
      const { id, walletId } = await world.createOrganization({ usd: '0', creditLineUsd: usd })
      return { walletId, ...(await world.addOrganizationKey(id)) }
    }
  }
}

/** Calls at once, over both gateways. */
function callAll({ key }: Victim, { body, calls }: Pick<Attack, 'body' | 'calls'>): Promise<Reply[]> {
  return Promise.all(
    Array.from({ length: calls }, (_, turn) => callChat({ url: turn % 2 === 0 ? world.url : second.url, key }, body)),
  )
}

/** What was spent beyond the limit, and what the operator absorbed, in nano-dollars. */
async function attack(limit: Limit, tried: Attack): Promise<{ excess: bigint; absorbed: bigint; charged: bigint }> {
  const victim = await victimOf(limit, tried.usd)
  upstream.play(tried.greed)
  dearer.play(tried.greed)
  await callAll(victim, tried)
  await world.expectSoundBooks()
  const { rows } = await world.pool.query<{ charged: string; absorbed: string }>(
    `SELECT coalesce(sum(cost_nano), 0) AS charged, coalesce(sum(absorbed_nano), 0) AS absorbed
     FROM generations WHERE wallet_id = $1`,
    [victim.walletId],
  )
  const charged = BigInt(rows[0]?.charged ?? 0)
  const excess = charged - parseUsd(tried.usd)
  return { excess: excess > 0n ? excess : 0n, absorbed: BigInt(rows[0]?.absorbed ?? 0), charged }
}

const long = { wants: 50_000 }
const ways: readonly (readonly [string, Attack & { limits?: readonly Limit[]; mayAbsorb?: true }])[] = [
  ['a document without a cap', { body: {}, greed: long, usd: '0.045', calls: 1 }],
  [
    'ten of those at once',
    { body: {}, greed: long, usd: '0.45', calls: 10, limits: ['wallet', 'key', 'budget', 'credit line'] },
  ],
  [
    'a stream whose reasoning is not shown',
    { body: { stream: true }, greed: { ...long, shows: 'nothing' }, usd: '0.012', calls: 1 },
  ],
  [
    'ten of those at once',
    { body: { stream: true, model: 'acme/thinker' }, greed: { ...long, shows: 'nothing' }, usd: '0.5', calls: 10 },
  ],
  [
    '20,000 tokens in one frame',
    { body: { stream: true }, greed: { wants: 20_000, shows: 'at-once' }, usd: '0.015', calls: 1 },
  ],
  [
    'reasoning that is dearer than the completion',
    {
      body: { model: 'acme/reasoning', max_tokens: 1_000 },
      greed: { ...long, countsAs: 'reasoning_tokens' },
      usd: '0.002',
      calls: 3,
    },
  ],
  [
    'cache writes that are dearer than the prompt',
    {
      body: { model: 'acme/caching', max_tokens: 10 },
      greed: { wants: 10, prompt: 22_000, promptCountsAs: 'cache_write_tokens' },
      usd: '0.01',
      calls: 2,
      mayAbsorb: true,
    },
  ],
  ['four choices each', { body: { n: 4 }, greed: long, usd: '0.4', calls: 4, limits: ['wallet', 'key'] }],
  ['four capped choices each', { body: { n: 4, max_tokens: 500 }, greed: long, usd: '0.05', calls: 8 }],
  [
    'audio out',
    {
      body: { model: 'acme/audio', max_tokens: 300 },
      greed: { ...long, countsAs: 'audio_tokens' },
      usd: '0.05',
      calls: 6,
    },
  ],
  [
    'audio in',
    {
      body: { model: 'acme/audio', max_tokens: 3 },
      greed: { wants: 3, prompt: 10, promptCountsAs: 'audio_tokens' },
      usd: '0.002',
      calls: 9,
    },
  ],
  ['a fee for each request', { body: { model: 'acme/fee', max_tokens: 10 }, greed: long, usd: '0.0085', calls: 10 }],
  [
    'a tier that the prompt crosses',
    {
      body: { model: 'acme/tiers', max_tokens: 100 },
      greed: { ...long, prompt: 1_001 },
      usd: '0.006',
      calls: 5,
      mayAbsorb: true,
    },
  ],
  [
    'images that count for more than expected',
    {
      body: { max_tokens: 10, messages: imageMessages() },
      greed: { wants: 10, prompt: 9_000 },
      usd: '0.01',
      calls: 4,
      mayAbsorb: true,
    },
  ],
  [
    'tools whose arguments never end',
    {
      body: { stream: true, tools: [{ type: 'function', function: { name: 'f', parameters: {} } }] },
      greed: long,
      usd: '0.05',
      calls: 3,
      mayAbsorb: true,
    },
  ],
  [
    'room for thinking beyond the cap',
    {
      body: { model: 'acme/thinker', max_tokens: 100, reasoning: { max_tokens: 4_000 } },
      greed: { wants: 4_100, countsAs: 'reasoning_tokens', ignoresCap: true },
      usd: '0.1',
      calls: 4,
    },
  ],
  [
    'thirty streams that grow at once',
    {
      body: { stream: true },
      greed: { wants: 6_000 },
      usd: '0.6',
      calls: 30,
      limits: ['wallet', 'budget'],
      mayAbsorb: true,
    },
  ],
  [
    'an upstream that ignores its cap',
    { body: { max_tokens: 100 }, greed: { ...long, ignoresCap: true }, usd: '0.01', calls: 4, mayAbsorb: true },
  ],
  [
    'a stream that ignores its cap',
    { body: { stream: true }, greed: { ...long, ignoresCap: true }, usd: '0.05', calls: 4, mayAbsorb: true },
  ],
  [
    'usage beyond belief',
    {
      body: { max_tokens: 10 },
      greed: { wants: 4_294_967_296, prompt: 4_294_967_296, ignoresCap: true },
      usd: '343',
      calls: 2,
    },
  ],
]

describe('[I8] [B3] nobody spends more than there is', () => {
  it.each(
    ways.flatMap(([name, tried]) =>
      (tried.limits ?? ['wallet' as const]).map((limit) => [name, limit, tried] as const),
    ),
  )('%s (%s)', async (_name, limit, tried) => {
    const { excess, absorbed } = await attack(limit, { ...tried, body: { model: 'acme/plain', ...tried.body } })
    expect(excess).toBe(0n)
    // Only where a prompt counts for more than was expected, an upstream ignores its cap, or makes tokens faster than holds grow.
    if (tried.mayAbsorb !== true) expect(absorbed).toBe(0n)
  })

  it('a provider that fails before a dearer one answers', async () => {
    const victim = await victimOf('wallet', '0.1')
    upstream.play({ wants: 1, status: 500 })
    dearer.play(long)
    const replies = await callAll(victim, { body: { model: 'acme/plain' }, calls: 6 })
    expect(replies.some(({ status }) => status === 200)).toBe(true)
    await world.expectSoundBooks()
    expect(parseUsd((await world.walletOf(victim.walletId)).balance)).toBeGreaterThanOrEqual(0n)
  })

  it('whatever is tried, with whatever money', async () => {
    let [absorbed, charged] = [0n, 0n]
    const next = randomOf(46)
    for (let round = 0; round < rounds; round += 1) {
      const tried = randomAttack(next)
      const outcome = await attack(pick(next, ['wallet', 'key', 'budget', 'credit line'] as const), tried)
      expect(outcome.excess, JSON.stringify(tried)).toBe(0n)
      absorbed += outcome.absorbed
      charged += outcome.charged
    }
    process.stdout.write(
      `overspend: ${rounds} rounds, ${nanoUsd(charged)} nano-dollars charged, ${absorbed} absorbed, 0 in excess\n`,
    )
  })
})

describe('[I8] holds stay usable', () => {
  it.each([
    ['a document', { model: 'acme/usable' }],
    ['a stream', { model: 'acme/usable', stream: true }],
    ['a document that reasons', { model: 'acme/usable-thinker' }],
    ['a stream that reasons', { model: 'acme/usable-thinker', stream: true }],
  ])('%s without a cap: ten at once with $5, and 60 within a breaker of $5 a minute', async (_name, body) => {
    const greed: Greed = { wants: 500 }
    upstream.play(greed)
    const ten = await callAll(await victimOf('wallet', '5'), { body, calls: 10 })
    expect(ten.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    const caller = await world.createCaller({ usd: '1000' })
    await world.pool.query('UPDATE users SET breaker_enabled = true WHERE id = $1', [caller.userId])
    const sixty = await callAll(caller, { body, calls: 60 })
    expect(sixty.filter(({ status }) => status !== 200)).toEqual([])
    expect(sixty.every(({ text }) => text.includes('"cost":0.00751'))).toBe(true)
  })

  it('[B13] a cap that the gateway set is told in a header, and the answer ends with `length`', async () => {
    upstream.play(long)
    upstream.caps.length = 0
    const reply = (await callAll(await victimOf('wallet', '0.045'), { body: { model: 'acme/plain' }, calls: 1 }))[0]
    expect(upstream.caps).toEqual([4_096])
    expect(reply?.headers.get('x-output-cap')).toBe('4096')
    expect(reply?.json).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 4_096 } })
  })
})

function imageMessages(): JsonObject[] {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
  return [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }]
}

function randomAttack(next: () => number): Attack {
  const cap = pick(next, [null, null, 1, 100, 5_000])
  const body: JsonObject = {
    model: pick(next, models).id,
    stream: next() < 0.5,
    ...(cap === null ? {} : { max_tokens: cap }),
    ...(next() < 0.2 ? { n: 2 } : {}),
    ...(next() < 0.2 ? { reasoning: { max_tokens: pick(next, [1_024, 3_000]) } } : {}),
  }
  const greed: Greed = {
    wants: pick(next, [10, 1_000, 5_000, 20_000]),
    prompt: pick(next, [5, 10, 12, 1_001, 9_000]),
    shows: pick(next, ['as-made', 'at-once', 'nothing'] as const),
    ignoresCap: next() < 0.1,
    ...(next() < 0.3 ? { countsAs: pick(next, ['reasoning_tokens', 'audio_tokens']) } : {}),
    ...(next() < 0.3 ? { promptCountsAs: pick(next, ['cached_tokens', 'cache_write_tokens', 'audio_tokens']) } : {}),
  }
  return { body, greed, usd: pick(next, ['0.000001', '0.01', '0.05', '0.3', '1']), calls: pick(next, [1, 3, 12]) }
}

function pick<T>(next: () => number, choices: readonly T[]): T {
  const chosen = choices[Math.floor(next() * choices.length)]
  if (chosen === undefined) throw new Error('nothing to choose from')
  return chosen
}

/** Numbers from 0 to 1 that are the same in every run. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
