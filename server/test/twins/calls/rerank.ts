import { promptTokensOf } from '#domain/inference/usage.ts'
import type { RerankTask } from '#domain/media/media-task.ts'
import type { JsonValue } from '#lib/json.ts'
import { cohereCounts, rerankUpstream } from '#test/simulators/media/rerank/rerank-upstream.ts'
import { type Asked, rank } from '../ours/ask-media.ts'
import type { Twin } from '../twin.ts'
import { serving } from './media-upstreams.ts'

function asking(asked: Asked, task: Partial<RerankTask> = {}): () => Promise<JsonValue> {
  return async () => {
    const { scores, usage } = await rank(asked, task)
    return {
      scores: scores.map(({ index, score }) => ({ index, score })),
      ...(usage === null ? {} : { tokens: promptTokensOf(usage), units: usage.media?.searchUnits ?? 0 }),
    }
  }
}

const rankings: readonly Omit<Twin, 'capability'>[] = [
  {
    provider: 'cohere',
    sdk: 'cohere-ai',
    call: 'rerank',
    upstream: serving(() => rerankUpstream({ path: '/v2/rerank', counts: cohereCounts })),
    ours: asking({ provider: 'cohere', model: 'rerank-v3.5' }, { documentTokensMax: 512 }),
  },
  {
    provider: 'voyage',
    sdk: 'voyageai',
    call: 'rerank',
    upstream: serving(() =>
      rerankUpstream({
        topField: 'top_k',
        listField: 'data',
        counts: (tokens) => ({ object: 'list', usage: { total_tokens: tokens } }),
      }),
    ),
    ours: asking({ provider: 'voyage', model: 'rerank-2.5' }),
  },
  {
    provider: 'together',
    sdk: 'together-ai',
    call: 'rerank',
    upstream: serving(() => rerankUpstream()),
    ours: asking({ provider: 'together', model: 'Salesforce/Llama-Rank-v1' }),
  },
  {
    provider: 'openrouter',
    sdk: '@openrouter/sdk',
    call: 'rerank',
    upstream: serving(() =>
      rerankUpstream({
        path: '/api/v1/rerank',
        counts: () => ({ provider: 'Cohere', usage: { search_units: 1, cost: 0.002 } }),
      }),
    ),
    ours: asking({ provider: 'openrouter', model: 'cohere/rerank-v3.5' }),
  },
]

/** Documents in the order of their relevance. */
export const rerankTwins: readonly Twin[] = rankings.map((twin) => ({ ...twin, capability: 'rerank' }))
