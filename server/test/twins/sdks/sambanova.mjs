import SambaNova from 'sambanova'
import { chatCalls, includeUsage } from './samples.mjs'

const clientOf = ({ key }) => new SambaNova({ apiKey: key, maxRetries: 0, fetch: (...given) => fetch(...given) })
export const { chat, stream, tools, errors } = chatCalls(clientOf, {
  model: 'Meta-Llama-3.3-70B-Instruct',
  streamFields: includeUsage,
})
