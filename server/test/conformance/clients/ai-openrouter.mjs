import assert from 'node:assert/strict'
import { createOpenRouter } from '@openrouter/ai-sdk-provider'
import { generateText } from 'ai'
import { aiCases, thoughtReturnsCase } from './ai-cases.mjs'
import { reportCases } from './report-cases.mjs'
import { baseURL, emptyKey, key, pricedModel } from './surroundings.mjs'

// OpenRouter's own base URL, but for the host.
const openRouterURL = baseURL.replace(/\/v1$/, '/openrouter/v1')
const weir = createOpenRouter({ baseURL: openRouterURL, apiKey: key })
const empty = createOpenRouter({ baseURL: openRouterURL, apiKey: emptyKey })

await reportCases({
  ...aiCases({ model: weir.chat, emptyModel: empty.chat }),
  'the signed thought of Claude returns': thoughtReturnsCase({ model: weir.chat }),

  'the cost of a request': async () => {
    const { providerMetadata } = await generateText({ model: weir.chat(pricedModel), prompt: 'Hello', maxRetries: 0 })
    assert.ok(providerMetadata.openrouter.usage.cost > 0)
  },
})
