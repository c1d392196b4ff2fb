import type { TestModel } from '../import-models.ts'

const plain = { prompt: '0.000001', completion: '0.00001' }
const caching = { ...plain, cache_read: '0.0000001', cache_write: '0.00000125', cache_write_1h: '0.000002' }
const usable = { prompt: '0.000001', completion: '0.000015' }

const sold: readonly Omit<TestModel, 'provider'>[] = [
  { id: 'acme/plain', pricing: plain },
  { id: 'acme/reasoning', pricing: { ...plain, reasoning: '0.0001' } },
  { id: 'acme/thinker', pricing: plain, reasons: true },
  { id: 'acme/caching', pricing: caching },
  { id: 'acme/audio', pricing: { ...plain, audio_input: '0.00004', audio_output: '0.00008' } },
  { id: 'acme/fee', pricing: { ...plain, per_request: '0.002' } },
  {
    id: 'acme/tiers',
    pricing: plain,
    tiers: [{ above_prompt_tokens: 1_000, prompt: '0.000004', completion: '0.00004' }],
  },
  // The second provider sells the model at three times the price.
  {
    id: 'acme/dearer-second',
    pricing: plain,
    offers: [{ provider: 'deepinfra', pricing: { prompt: '0.000003', completion: '0.00003' } }],
  },
  // Because of its name the gateway calls the model like OpenAI's reasoning models.
  { id: 'acme/gpt-5-greedy', pricing: plain },
  { id: 'acme/usable', pricing: usable },
  { id: 'acme/usable-thinker', pricing: usable, reasons: true },
]

const searching = { ...plain, web_search: '0.005', citation_token: '0.000002' }

/** These models search before each response: once, or any number of times for research. */
const sonars: readonly Omit<TestModel, 'provider'>[] = [
  { id: 'sonar/plain', pricing: searching },
  { id: 'sonar/deep-research', pricing: searching },
]

const claudes: readonly Omit<TestModel, 'provider'>[] = [
  { id: 'claude/caching', pricing: caching },
  { id: 'claude/thinker', pricing: caching, reasons: true },
  { id: 'claude/searcher', pricing: { ...caching, web_search: '0.01' } },
]

const abilities = { maxCompletionTokens: 64_000, inputs: ['text', 'image', 'audio', 'video', 'file'], callsTools: true }

/** Copies of each model, because a gateway no longer trusts an upstream after an attack. */
export const copiesMax = 24

export function copyOf(model: string, copy: number): string {
  return `${model}-copy-${copy % copiesMax}`
}

/** Models of `acme/*` use OpenAI's protocol, those of `claude/*` Anthropic's, those of `sonar/*` Perplexity's. */
const originals: readonly TestModel[] = [
  ...sold.map((model) => ({ ...model, provider: 'openai', ...abilities })),
  ...claudes.map((model) => ({ ...model, provider: 'anthropic', ...abilities })),
  ...sonars.map((model) => ({ ...model, provider: 'perplexity', ...abilities })),
]

export const greedyModels: readonly TestModel[] = originals.flatMap((model) => [
  model,
  ...Array.from({ length: copiesMax }, (_, copy) => ({ ...model, id: copyOf(model.id, copy) })),
])
