import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { importModels } from '#test/money/import-models.ts'
import type { Client } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { anthropicAnswers } from '#test/simulators/protocols/anthropic/anthropic-answers.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { bedrockAnswers } from '#test/simulators/protocols/bedrock/bedrock-answers.ts'
import { bedrockDocument } from '#test/simulators/protocols/bedrock/bedrock-document.ts'
import { geminiDocument } from '#test/simulators/protocols/gemini/gemini-document.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

interface Host {
  readonly vendor: string
  readonly base: string
  readonly model: string
  readonly scenario: Scenario
  /** The client's fields. */
  readonly asked: JsonObject
  /** The upstream fields by the gateway's tables. */
  readonly before: JsonObject
  readonly override: JsonObject
  readonly after: JsonObject
  /** The `x-params-ignored` header after the override. */
  readonly ignored: string | null
}

const claude = anthropicDocument(anthropicAnswers.text)
const gemini = geminiDocument({ kind: 'text', pieces: ['Hello'] })

const hosts: readonly Host[] = [
  {
    vendor: 'groq',
    base: '/v1',
    model: 'qwen3-32b',
    scenario: { kind: 'echo' },
    asked: { reasoning: { effort: 'low' }, top_k: 5 },
    before: { reasoning_effort: 'low' },
    override: { leaveOut: ['reasoning_effort'], send: { top_k: 'top_k' } },
    after: { top_k: 5 },
    ignored: 'reasoning_effort',
  },
  {
    vendor: 'azure',
    base: '/openai/v1',
    model: 'gpt-5-mini',
    scenario: { kind: 'echo' },
    asked: { max_tokens: 50, seed: 3 },
    before: { max_completion_tokens: 50, seed: 3 },
    override: { outputCap: 'max_tokens', leaveOut: ['seed'] },
    after: { max_tokens: 50 },
    ignored: 'seed',
  },
  {
    vendor: 'anthropic',
    base: '',
    model: 'claude-opus-4-7',
    scenario: claude,
    asked: { temperature: 0.5, reasoning: { max_tokens: 2_000 }, max_tokens: 4_000 },
    before: {
      max_tokens: 4_000,
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'low' },
    },
    override: { thinking: 'budget', sampling: 'all' },
    after: { max_tokens: 4_000, thinking: { type: 'enabled', budget_tokens: 2_000 } },
    // Claude accepts no temperature while it thinks.
    ignored: 'temperature',
  },
  {
    vendor: 'amazon-bedrock',
    base: '',
    model: 'mistral.mistral-large-3',
    scenario: bedrockDocument(bedrockAnswers.text),
    asked: { top_k: 5, top_p: 0.5, max_tokens: 100 },
    before: { inferenceConfig: { maxTokens: 100, topP: 0.5 } },
    override: { send: { top_k: 'additionalModelRequestFields.top_k' }, leaveOut: ['inferenceConfig.topP'] },
    after: { inferenceConfig: { maxTokens: 100 }, additionalModelRequestFields: { top_k: 5 } },
    ignored: 'inferenceConfig.topP',
  },
  {
    vendor: 'google-ai-studio',
    base: '/v1',
    model: 'gemini-3-flash',
    scenario: gemini,
    asked: { reasoning: { effort: 'high' }, seed: 3, min_p: 0.1, max_tokens: 100 },
    before: {
      generationConfig: {
        maxOutputTokens: 100,
        seed: 3,
        thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' },
      },
    },
    override: { thinking: 'budget', leaveOut: ['generationConfig.seed'], send: { min_p: 'generationConfig.minP' } },
    after: {
      generationConfig: {
        maxOutputTokens: 100,
        minP: 0.1,
        thinkingConfig: { includeThoughts: true, thinkingBudget: 24_576 },
      },
    },
    ignored: 'generationConfig.seed',
  },
  {
    vendor: 'google-vertex',
    base: '/v1/projects/p/locations/l',
    model: 'claude-opus-4-8',
    scenario: claude,
    asked: { temperature: 0.5, max_tokens: 100 },
    before: { anthropic_version: 'vertex-2023-10-16', max_tokens: 100 },
    override: { sampling: 'one' },
    after: { anthropic_version: 'vertex-2023-10-16', max_tokens: 100, temperature: 0.5 },
    ignored: null,
  },
]

/** Every provider receives these in some form, so they do not matter here. */
const plain = new Set(['model', 'messages', 'contents', 'stream'])

describe('an override of what a provider takes', () => {
  let gateway: TestGateway
  let caller: Client
  let operator: Client
  const simulators = new Map<string, Simulator>()

  beforeAll(async () => {
    gateway = await startTestGateway()
    const pricing = { prompt: '0.000001', completion: '0.000004' }
    await importModels(
      gateway.pool,
      hosts.map(({ vendor, model }) => ({
        id: `${vendor}/${model}`,
        provider: vendor,
        pricing,
        maxCompletionTokens: 8_000,
        reasons: true,
      })),
    )
    for (const { vendor, base, model, scenario } of hosts) {
      const simulator = await startSimulator({ scenario })
      simulators.set(vendor, simulator)
      const pattern = `${vendor}/${model}`
      await gateway.addProvider({ vendor, url: simulator.url + base, pattern, upstreamModel: model })
    }
    caller = gateway.as((await gateway.createClient()).key)
    operator = gateway.as((await gateway.addOperatorKey()).key)
  })
  afterAll(async () => {
    await gateway.close()
    await Promise.all([...simulators.values()].map((simulator) => simulator.close()))
  })

  async function ask({ vendor, model, asked }: Host) {
    const body = { model: `${vendor}/${model}`, messages: [{ role: 'user', content: 'Hi' }], ...asked }
    const reply = await caller.post('/v1/chat/completions', body)
    expect(reply.status).toBe(200)
    const sent: unknown = simulators.get(vendor)?.requests.at(-1)?.body
    const fields = isJsonObject(sent) ? Object.entries(sent).filter(([name]) => !plain.has(name)) : []
    return { sent: Object.fromEntries(fields), ignored: reply.headers.get('x-params-ignored') }
  }

  async function override(vendor: string, overrides: JsonObject[]) {
    const path = `/api/admin/providers/${vendor}`
    const reply = await operator.patch(path, { overrides })
    expect(reply).toMatchObject({ status: 200, json: { overrides } })
    await gateway.gateway.refresh()
  }

  it.each(hosts.map((host) => [host.vendor, host] as const))(
    'is heard for %s, until it is taken back',
    async (_, host) => {
      const before = await ask(host)
      expect(before.sent).toEqual(host.before)
      await override(host.vendor, [{ ...host.override, model: host.model }])
      const after = await ask(host)
      expect(after.sent).toEqual(host.after)
      expect(after.ignored).toBe(host.ignored)
      await override(host.vendor, [{ ...host.override, model: 'another-model' }])
      expect((await ask(host)).sent).toEqual(host.before)
      await override(host.vendor, [])
      expect(await ask(host)).toEqual(before)
    },
  )
})
