import { openAiCompatible } from './openai-compatible.ts'

/** Usage on the last chunk, model ids under an account. */
export const fireworks = openAiCompatible(() => 'reasoning_content', {
  id: '4f3e2d1c-fire-4b5a-9687-786950413223',
  model: 'accounts/fireworks/models/model-x',
  headers: { 'fireworks-prompt-tokens': '16', 'x-request-id': '4f3e2d1c' },
  usagePlace: () => 'finish-chunk',
  hasNullUsage: () => true,
  usage: ({ prompt, completion, cached }) => ({
    prompt_tokens: prompt,
    total_tokens: prompt + completion,
    completion_tokens: completion,
    prompt_tokens_details: { cached_tokens: cached },
  }),
})
