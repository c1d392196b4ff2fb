import { AnthropicVertex } from '@anthropic-ai/vertex-sdk'
import { question, replyOf } from './anthropic-ai-sdk.mjs'

const clientOf = ({ key }) =>
  new AnthropicVertex({
    projectId: 'acme',
    region: 'us-central1',
    maxRetries: 0,
    // Google's library would ask a token server; the gateway is given its token as well.
    authClient: { getRequestHeaders: async () => new Headers({ authorization: `Bearer ${key}` }), projectId: 'acme' },
  })

export const chat = async (upstream) => replyOf(await clientOf(upstream).messages.create(question))
export const stream = async (upstream) => replyOf(await clientOf(upstream).messages.stream(question).finalMessage())
