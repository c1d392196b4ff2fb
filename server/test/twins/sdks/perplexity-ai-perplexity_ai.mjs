import Perplexity from '@perplexity-ai/perplexity_ai'
import { chatCalls } from './samples.mjs'

const clientOf = ({ key }) => new Perplexity({ apiKey: key, maxRetries: 0, fetch: (...given) => fetch(...given) })
export const { chat, stream, errors } = chatCalls(clientOf, { model: 'sonar' })
