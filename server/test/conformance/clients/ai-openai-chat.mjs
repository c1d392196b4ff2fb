import { createOpenAI } from '@ai-sdk/openai'
import { aiCases } from './ai-cases.mjs'
import { expectedFailure, reportCases } from './report-cases.mjs'
import { baseURL, emptyKey, key } from './surroundings.mjs'

const weir = createOpenAI({ baseURL, apiKey: key })
const empty = createOpenAI({ baseURL, apiKey: emptyKey })
const { reasoning, 'reasoning, streamed': streamed, ...cases } = aiCases({ model: weir.chat, emptyModel: empty.chat })

await reportCases({
  ...cases,
  // OpenAI's own chat API shows no reasoning, so this provider ignores it.
  'expected: shows no reasoning': expectedFailure(/reading 'length'/, reasoning),
  'expected: shows no reasoning, streamed': expectedFailure(/reading 'length'/, streamed),
})
