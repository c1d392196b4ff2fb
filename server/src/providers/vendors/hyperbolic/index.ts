import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

export const hyperbolic = openAiHost({
  slug: 'hyperbolic',
  name: 'Hyperbolic',
  baseUrl: 'https://api.hyperbolic.xyz/v1',
})
