import { ChatOpenAI } from '@langchain/openai'
import { langchainCases, thoughtReturnsCase } from './langchain-cases.mjs'
import { expectedFailure, reportCases } from './report-cases.mjs'
import { baseURL, key } from './surroundings.mjs'

const chat = (model) => new ChatOpenAI({ model, apiKey: key, maxRetries: 0, configuration: { baseURL } })
const responses = (model) =>
  new ChatOpenAI({
    model,
    apiKey: key,
    maxRetries: 0,
    configuration: { baseURL },
    useResponsesApi: true,
    zdrEnabled: true,
  })

const midStream = 'an error in the middle of a stream'
const { [midStream]: failingStream, ...overResponses } = langchainCases(responses)

await reportCases({
  ...named('chat', langchainCases(chat)),
  ...named('responses', overResponses),
  'responses: the signed thought of Claude returns': thoughtReturnsCase(responses),
  // This client ignores `response.failed`, which OpenAI also sends: it ends with the text so far.
  'expected: responses: overlooks an error in the middle of a stream': expectedFailure(/it went well/, failingStream),
})

function named(prefix, cases) {
  return Object.fromEntries(Object.entries(cases).map(([name, run]) => [`${prefix}: ${name}`, run]))
}
