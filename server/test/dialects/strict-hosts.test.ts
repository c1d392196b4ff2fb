import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { importModels } from '#test/money/import-models.ts'
import type { Client } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { anthropicAnswers } from '#test/simulators/protocols/anthropic/anthropic-answers.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { bedrockAnswers } from '#test/simulators/protocols/bedrock/bedrock-answers.ts'
import { bedrockDocument } from '#test/simulators/protocols/bedrock/bedrock-document.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import type { StrictHost } from '#test/simulators/strict-hosts.ts'

const hosts: readonly { host: StrictHost; vendor?: string; base?: string; models: readonly string[] }[] = [
  { host: 'groq', models: ['qwen/qwen3-32b', 'openai/gpt-oss-120b'] },
  { host: 'cerebras', models: ['qwen3-235b-a22b', 'gpt-oss-120b'] },
  { host: 'mistral', models: ['mistral-medium-latest'] },
  { host: 'fireworks', models: ['accounts/fireworks/models/qwen3-30b-a3b'] },
  { host: 'together', models: ['Qwen/Qwen3-32B', 'openai/gpt-oss-120b'] },
  { host: 'siliconflow', models: ['Qwen/Qwen3-Coder-30B-A3B-Instruct', 'Qwen/Qwen3-Next-80B-A3B-Instruct'] },
  { host: 'deepseek', models: ['deepseek-v4-pro'] },
  {
    host: 'anthropic',
    base: '',
    models: ['claude-opus-4-7', 'claude-opus-5-5', 'claude-fable-5', 'claude-sonnet-4-5', 'claude-haiku-5-5'],
  },
  {
    host: 'bedrock',
    vendor: 'amazon-bedrock',
    base: '',
    models: ['us.anthropic.claude-opus-4-7-v1:0', 'anthropic.claude-opus-5-5-v1:0', 'anthropic.claude-sonnet-4-5-v1:0'],
  },
]

const question = { role: 'user', content: 'Hi' }
const thought = {
  reasoning: 'Hm',
  reasoning_details: [{ type: 'reasoning.text', text: 'Hm', format: 'unknown', index: 0 }],
}
const tool = { type: 'function', function: { name: 'get_time', parameters: { type: 'object', properties: {} } } }

/** Fields that a client may send to any model, by the contract. */
const requests: readonly (readonly [about: string, body: JsonObject])[] = [
  ['[W3] nothing but a question', {}],
  [
    '[W2] [W9] [W12] every way of sampling',
    { temperature: 0.5, top_p: 0.9, top_k: 5, min_p: 0.1, top_a: 0.1, repetition_penalty: 1.1, seed: 7 },
  ],
  [
    '[W9] fields of other hosts',
    { structured_outputs: true, image_config: {}, modalities: ['text'], logprobs: true, user: 'u' },
  ],
  ['[W1] [W9] an effort', { reasoning_effort: 'high' }],
  ['[W9] an effort beyond the usual', { reasoning_effort: 'xhigh' }],
  ['[W1] [W9] a wish for reasoning', { reasoning: { effort: 'medium' } }],
  ['[W1] [W9] a budget', { reasoning: { max_tokens: 2_000 }, max_tokens: 4_000 }],
  ['[W1] [W9] no reasoning', { reasoning: { enabled: false } }],
  ['[W1] [W9] thinking as Claude says it', { thinking: { type: 'enabled', budget_tokens: 2_000 }, max_tokens: 4_000 }],
  ['[W1] [W9] no thinking as Claude says it', { thinking: { type: 'disabled' } }],
  ['[W9] thinking as Qwen says it', { enable_thinking: true }],
  ['[W1] a tool that must be called', { tools: [tool], tool_choice: 'required' }],
  [
    '[W10] [W11] thoughts of the turn before',
    { messages: [question, { role: 'assistant', content: 'Hello', ...thought }, question] },
  ],
]

describe('a host that refuses what it does not know', () => {
  let gateway: TestGateway
  let caller: Client
  const simulators: Simulator[] = []

  beforeAll(async () => {
    gateway = await startTestGateway({ WEIR_BREAKER_FAILURES: '100000' })
    for (const { host, vendor = host, base = '/v1', models } of hosts) {
      const simulator = await startSimulator({ strict: host, scenario: scenarioOf(host) })
      simulators.push(simulator)
      await importModels(
        gateway.pool,
        models.map((model) => ({
          id: idOf(host, model),
          provider: vendor,
          pricing: { prompt: '0.000001', completion: '0.000004' },
          maxCompletionTokens: 8_000,
          reasons: true,
          callsTools: true,
        })),
      )
      for (const model of models) {
        const pattern = idOf(host, model)
        await gateway.addProvider({
          vendor,
          url: simulator.url + base,
          pattern,
          name: pattern.replace('/', '.'),
          upstreamModel: model,
        })
      }
    }
    await gateway.gateway.refresh()
    caller = gateway.as((await gateway.createClient()).key)
  })
  afterAll(async () => {
    await Promise.all(simulators.map((simulator) => simulator.close()))
    await gateway.close()
  })

  for (const { host, models } of hosts) {
    for (const model of models) {
      it.each(requests)(`${host} serves ${model} with %s`, async (_, body) => {
        const reply = await caller.post('/v1/chat/completions', {
          model: idOf(host, model),
          messages: [question],
          ...body,
        })
        expect(reply.json).not.toHaveProperty('error')
        expect(reply.status).toBe(200)
      })
    }
  }
})

function idOf(host: StrictHost, model: string): string {
  return `${host}/${model.replaceAll(/[^a-z0-9.-]/gi, '-').toLowerCase()}`
}

function scenarioOf(host: StrictHost): Scenario {
  if (host === 'anthropic') return anthropicDocument(anthropicAnswers.text)
  if (host === 'bedrock') return bedrockDocument(bedrockAnswers.text)
  return { kind: 'echo' }
}
