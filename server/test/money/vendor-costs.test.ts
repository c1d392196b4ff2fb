import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { objectAt } from '#lib/json.ts'
import type { Answer } from '#test/simulators/scenarios/answer.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { vendorStream } from '#test/simulators/scenarios/vendor-stream.ts'
import { vendorNames } from '#test/simulators/vendors/vendor-style.ts'
import { slugOf } from '#test/streams/read-recorded.ts'
import { importModels } from './import-models.ts'
import { costTextOf, type MoneyWorld, startMoneyWorld, usageOf } from './money-world.ts'

// Nano-dollars per token, chosen so that no two mistakes give the same sum.
const prices = { prompt: 1_009n, cacheRead: 101n, completion: 10_007n }
const counts = { prompt: 100, completion: 40, cached: 30, reasoning: 10 }

const answers = {
  text: { kind: 'text', pieces: ['Hel', 'lo'], usage: counts },
  reasoning: { kind: 'reasoning', thinking: ['H', 'm'], pieces: ['Hel', 'lo'], usage: counts },
  tools: { kind: 'tools', calls: [{ id: 'call_a', name: 'f', arguments: ['{"a":', '1}'] }], usage: counts },
  nothing: { kind: 'length', pieces: [], usage: counts },
} satisfies Record<string, Answer>

let world: MoneyWorld

beforeAll(async () => {
  world = await startMoneyWorld()
  const pricing = {
    prompt: formatUsd(nanoUsd(prices.prompt)),
    cache_read: formatUsd(nanoUsd(prices.cacheRead)),
    completion: formatUsd(nanoUsd(prices.completion)),
  }
  await importModels(
    world.pool,
    vendorNames.map((name) => ({ id: `acme/${name}`, provider: slugOf(name), pricing })),
  )
  for (const name of vendorNames) {
    const url = `${world.upstream.url}/v1`
    await world.addProvider({ vendor: slugOf(name), name: `acme-${name}`, url, pattern: `acme/${name}` })
  }
})
afterAll(() => world.close())

describe.each(vendorNames)('an answer of %s', (name) => {
  it.each(Object.entries(answers))(
    '[P9] [USAGE-07] [USAGE-12] [USAGE-13] costs the same streamed and whole, each token once: %s',
    async (_kind, answer) => {
      const caller = await world.createClient()
      world.upstream.play({
        kind: 'by-request',
        stream: vendorStream(name, answer),
        json: vendorCompletion(name, answer),
      })
      const streamed = await world.call(caller, { model: `acme/${name}`, stream: true })
      const whole = await world.call(caller, { model: `acme/${name}` })
      expect(usageOf(streamed)).toEqual(usageOf(whole))
      const usage = usageOf(whole)
      expect(usage).toMatchObject({ prompt_tokens: 100, completion_tokens: 40, total_tokens: 140 })
      // Cached tokens that a vendor does not report are charged in full; none may be charged twice.
      const cached = Number(objectAt(usage, 'prompt_tokens_details').cached_tokens)
      expect([0, 30]).toContain(cached)
      const cost = BigInt(100 - cached) * prices.prompt + BigInt(cached) * prices.cacheRead + 40n * prices.completion
      expect(costTextOf(streamed)).toBe(formatUsd(nanoUsd(cost)))
      expect(costTextOf(whole)).toBe(formatUsd(nanoUsd(cost)))
    },
  )
})

it('[USAGE-08] [P9] most vendors report cache hits that nobody asked for, and reasoning beside or inside', async () => {
  const caller = await world.createClient()
  const cached = new Set<string>()
  const reasoned = new Set<string>()
  for (const name of vendorNames) {
    world.upstream.play(vendorStream(name, answers.reasoning))
    const usage = usageOf(await world.call(caller, { model: `acme/${name}`, stream: true }))
    if (objectAt(usage, 'prompt_tokens_details').cached_tokens === 30) cached.add(name)
    if (objectAt(usage, 'completion_tokens_details').reasoning_tokens === 10) reasoned.add(name)
  }
  for (const name of ['openai', 'deepseek', 'xai', 'moonshot', 'openrouter']) expect(cached).toContain(name)
  for (const name of ['openai', 'xai', 'openrouter', 'deepseek']) expect(reasoned).toContain(name)
})

it('[P7] usage inside the finishing choice is charged where a vendor puts it there', async () => {
  const caller = await world.createClient()
  world.upstream.play(vendorStream('moonshot', { ...answers.text, variant: 'older' }))
  const usage = usageOf(await world.call(caller, { model: 'acme/moonshot', stream: true }))
  expect(usage).toMatchObject({ prompt_tokens: 100, completion_tokens: 40 })
})
