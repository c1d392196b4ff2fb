import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

export const cerebras = openAiHost({
  slug: 'cerebras',
  name: 'Cerebras',
  baseUrl: 'https://api.cerebras.ai/v1',
  quirks: { refuses: ['frequency_penalty', 'presence_penalty'] },
})
