import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

export const friendli = openAiHost({
  slug: 'friendli',
  name: 'FriendliAI',
  baseUrl: 'https://api.friendli.ai/serverless/v1',
})
