import { createOpenAI } from '@ai-sdk/openai'
import { aiCases, thoughtReturnsCase } from './ai-cases.mjs'
import { reportCases } from './report-cases.mjs'
import { baseURL, emptyKey, key } from './surroundings.mjs'

const weir = createOpenAI({ baseURL, apiKey: key })
const empty = createOpenAI({ baseURL, apiKey: emptyKey })
// For gateways that store no items: the provider must send everything with each request.
const options = {
  providerOptions: { openai: { store: false, include: ['reasoning.encrypted_content'], forceReasoning: true } },
}

await reportCases({
  ...aiCases({ model: weir.responses, emptyModel: empty.responses, options }),
  'the signed thought of Claude returns': thoughtReturnsCase({ model: weir.responses, options }),
})
