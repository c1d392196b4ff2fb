import assert from 'node:assert/strict'
import { createOpenRouter } from '@openrouter/ai-sdk-provider'
import { generateText } from 'ai'
import { aiCases, thoughtReturnsCase } from './ai-cases.mjs'
import { reportCases } from './report-cases.mjs'
import { baseURL, emptyKey, key, pricedModel } from './surroundings.mjs'

const weir = createOpenRouter({ baseURL, apiKey: key })
const empty = createOpenRouter({ baseURL, apiKey: emptyKey })

await reportCases({
  ...aiCases({ model: weir.chat, emptyModel: empty.chat }),
  'the signed thought of Claude returns': thoughtReturnsCase({ model: weir.chat }),

  'the cost of a request': async () => {
    const { providerMetadata } = await generateText({ model: weir.chat(pricedModel), prompt: 'Hello', maxRetries: 0 })
    assert.ok(providerMetadata.openrouter.usage.cost > 0)
  },
})
