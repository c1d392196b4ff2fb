import type { JsonObject } from '../json-value.ts'
import { openAiCompatible } from './openai-compatible.ts'
import { thinkTagDeltas, thinkTagMessage } from './think-tags.ts'

const sources = {
  citations: ['https://example.com/a', 'https://example.com/b'],
  search_results: [
    { title: 'A', url: 'https://example.com/a', date: '2026-01-02' },
    { title: 'B', url: 'https://example.com/b', date: null },
  ],
}

/** Running usage, sources and the role on every chunk; thinking as tags in the content; a last `done` object. */
export const perplexity = openAiCompatible(() => 'reasoning', {
  id: '3e2d1c0b-pplx-4a59-8877-665544332211',
  model: 'sonar-x',
  thinking: thinkTagDeltas,
  open: (deltas) => deltas.map((delta) => ({ role: 'assistant', ...delta })),
  finishDelta: () => ({ role: 'assistant', content: '' }),
  choice: ({ index, delta, finish }) => ({ index, finish_reason: finish, delta }),
  usagePlace: () => 'every-chunk',
  usage: ({ prompt, completion, searches, citations }) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(searches > 0 ? researchUsage(searches, citations) : answerUsage),
  }),
  dressChunk: (chunk, { phase }) => withSources(chunk, phase === 'finish' ? 'chat.completion.done' : null),
  message: thinkTagMessage,
  dressCompletion: (body) => withSources(body, null),
  errorBody: ({ message, type, status }) => ({ error: { message, type, code: status } }),
})

/** A fee per request, however many searches it made. */
const answerUsage = {
  search_context_size: 'low',
  cost: { input_tokens_cost: 0, output_tokens_cost: 0, request_cost: 0.005, total_cost: 0.005 },
}

/** Deep research has a price per search and per quoted token, and no fee. */
function researchUsage(searches: number, citations: number): JsonObject {
  const cost = { search_queries_cost: searches * 0.005, citation_tokens_cost: citations * 0.000002 }
  return { num_search_queries: searches, citation_tokens: citations, cost: { ...cost, total_cost: searches * 0.005 } }
}

function withSources(chunk: JsonObject, object: string | null): JsonObject {
  const { choices, object: usual = null, ...rest } = chunk
  return { ...rest, ...sources, object: object ?? usual, ...(choices === undefined ? {} : { choices }) }
}
