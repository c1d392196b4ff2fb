import type { JsonObject } from '../../server/src/lib/json.ts'

/**
 * Models that are newer than the facts, or that the facts know only from a reseller, as described by their providers'
 * own pages. Their prices are in the table of official prices. A record here replaces the record in the facts.
 */
export const currentModels: readonly JsonObject[] = [
  claude('opus-5.5', 'Opus 5.5', '2026-09-22'),
  claude('sonnet-5.5', 'Sonnet 5.5', '2026-09-28'),
  claude('fable-5.1', 'Fable 5.1', null),
  {
    id: 'openai/gpt-6-sol',
    name: 'OpenAI: GPT-6 Sol',
    kind: 'chat',
    provider: 'openai',
    upstream_model_id: 'gpt-6-sol',
    context_length: 1_050_000,
    max_completion_tokens: 128_000,
    max_input_tokens: 922_000,
    input_modalities: ['text', 'image'],
    output_modalities: ['text'],
    // The search price of the provider's other models.
    pricing: { web_search: '0.01' },
    supported_parameters: [
      'include_reasoning',
      'max_completion_tokens',
      'max_tokens',
      'reasoning',
      'reasoning_effort',
      'response_format',
      'structured_outputs',
      'tool_choice',
      'tools',
    ],
    // Not on the page that was read: resellers list it, and other models of the provider have the same tier.
    pricing_tiers: [
      {
        above_prompt_tokens: 272_000,
        prompt: '0.000004',
        completion: '0.000015',
        cache_read: '0.0000004',
        cache_write: '0.000005',
      },
    ],
    // Chat Completions accepts functions only if the model does not reason.
    offers: [{ provider: 'openai', upstream_model_id: 'gpt-6-sol', api: 'responses' }],
    reasoning: { supported_efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'], default_effort: 'medium' },
    prompt_caching: true,
    knowledge_cutoff: '2026-04-20',
    release_date: '2026-09-22',
    status: 'active',
  },
]

function claude(name: string, title: string, released: string | null): JsonObject {
  return {
    id: `anthropic/claude-${name}`,
    name: `Anthropic: Claude ${title}`,
    kind: 'chat',
    provider: 'anthropic',
    upstream_model_id: `claude-${name.replace('.', '-')}`,
    context_length: 1_000_000,
    max_completion_tokens: 128_000,
    input_modalities: ['text', 'image', 'file'],
    output_modalities: ['text'],
    // The search price of the provider's other models.
    pricing: { web_search: '0.01' },
    supported_parameters: [
      'include_reasoning',
      'max_completion_tokens',
      'max_tokens',
      'reasoning',
      'reasoning_effort',
      'response_format',
      'stop',
      'structured_outputs',
      'tool_choice',
      'tools',
      'verbosity',
    ],
    prompt_caching: true,
    tokenizer: 'Claude',
    open_weights: false,
    release_date: released,
    status: 'active',
  }
}
