import assert from 'node:assert/strict'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'
import { aiCases } from './ai-cases.mjs'
import { reportCases } from './report-cases.mjs'
import { baseURL, emptyKey, key, pricedModel } from './surroundings.mjs'

const weir = createOpenAICompatible({ name: 'weir', baseURL, apiKey: key, includeUsage: true })
const empty = createOpenAICompatible({ name: 'weir', baseURL, apiKey: emptyKey })

await reportCases({
  ...aiCases({ model: weir, emptyModel: empty }),

  'the cost of a request': async () => {
    const { usage } = await generateText({ model: weir(pricedModel), prompt: 'Hello', maxRetries: 0 })
    assert.ok(usage.raw.cost > 0)
  },
})
