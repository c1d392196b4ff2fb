import { ChatAnthropic } from '@langchain/anthropic'
import { langchainCases } from './langchain-cases.mjs'
import { reportCases } from './report-cases.mjs'
import { key, url } from './surroundings.mjs'

await reportCases(
  langchainCases((model) => new ChatAnthropic({ model, apiKey: key, maxRetries: 0, anthropicApiUrl: url })),
)
