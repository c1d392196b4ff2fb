import { openAiHost } from '../protocols/openai/openai-host.ts'

export const nebius = openAiHost({
  slug: 'nebius',
  name: 'Nebius Token Factory',
  baseUrl: 'https://api.tokenfactory.nebius.com/v1',
})
