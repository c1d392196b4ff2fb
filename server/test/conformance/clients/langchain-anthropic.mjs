import { ChatAnthropic } from '@langchain/anthropic'
import { langchainCases, thoughtReturnsCase } from './langchain-cases.mjs'
import { reportCases } from './report-cases.mjs'
import { key, url } from './surroundings.mjs'

const messages = (model) => new ChatAnthropic({ model, apiKey: key, maxRetries: 0, anthropicApiUrl: url })

await reportCases({
  ...langchainCases(messages),
  'the signed thought of Claude returns': thoughtReturnsCase(messages),
})
