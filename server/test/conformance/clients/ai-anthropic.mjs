import { createAnthropic } from '@ai-sdk/anthropic'
import { aiCases, thoughtReturnsCase } from './ai-cases.mjs'
import { reportCases } from './report-cases.mjs'
import { baseURL, emptyKey, key } from './surroundings.mjs'

// Otherwise the SDK warns of every unknown model.
globalThis.AI_SDK_LOG_WARNINGS = false

const weir = createAnthropic({ baseURL, apiKey: key })
const empty = createAnthropic({ baseURL, apiKey: emptyKey })

await reportCases({
  ...aiCases({ model: weir, emptyModel: empty }),
  'the signed thought of Claude returns': thoughtReturnsCase({ model: weir }),
})
