import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

export const cerebras = openAiHost({
  slug: 'cerebras',
  name: 'Cerebras',
  baseUrl: 'https://api.cerebras.ai/v1',
  quirks: {
    // From its SDK 1.91, without the penalties, which the SDK lists and the API rejects.
    takes: new Set([
      'logit_bias',
      'logprobs',
      'n',
      'parallel_tool_calls',
      'prediction',
      'prompt_cache_key',
      'reasoning_effort',
      'reasoning_format',
      'seed',
      'service_tier',
      'top_logprobs',
      'user',
    ]),
    efforts: ['none', 'low', 'medium', 'high'],
    qwenAtRest: { reasoning_effort: 'none' },
    thoughtsFor: () => 'reasoning',
  },
})
