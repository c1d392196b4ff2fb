import { openAiHost } from '../protocols/openai/openai-host.ts'

export const openrouter = openAiHost({
  slug: 'openrouter',
  name: 'OpenRouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  quirks: { streamUsage: 'always', acceptsPlugins: true },
})
