import { AnthropicVertex } from '@anthropic-ai/vertex-sdk'
import { question, replyOf } from './anthropic-ai-sdk.mjs'

const clientOf = ({ key }) =>
  new AnthropicVertex({
    projectId: 'acme',
    region: 'us-central1',
    maxRetries: 0,
    // Google's library would call a token server; the gateway also gets its token directly.
    authClient: { getRequestHeaders: async () => new Headers({ authorization: `Bearer ${key}` }), projectId: 'acme' },
  })

export const chat = async (upstream) => replyOf(await clientOf(upstream).messages.create(question))
export const stream = async (upstream) => replyOf(await clientOf(upstream).messages.stream(question).finalMessage())
