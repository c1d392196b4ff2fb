import { Cerebras } from '@cerebras/cerebras_cloud_sdk'
import { chatCalls, includeUsage } from './samples.mjs'

const clientOf = ({ key }) =>
  new Cerebras({ apiKey: key, maxRetries: 0, warmTCPConnection: false, fetch: (...given) => fetch(...given) })
export const { chat, stream, tools, errors } = chatCalls(clientOf, { model: 'llama-4-scout', streamFields: includeUsage })
