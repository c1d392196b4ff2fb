import type { AnthropicVendor } from '#providers/spec.ts'

export const anthropic: AnthropicVendor = {
  slug: 'anthropic',
  name: 'Anthropic',
  protocol: 'anthropic',
  baseUrl: 'https://api.anthropic.com',
  messagesPath: '/v1/messages',
  authentication: { kind: 'header', name: 'x-api-key' },
}
