import { statedCost } from '#domain/money/stated-cost.ts'
import { countAt, objectAt } from '#lib/json.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { perplexitySearchCounts, perplexitySearchesIn } from './searches.ts'

/** Usage on every chunk, and thinking as tags in the text. */
export const perplexity = openAiHost({
  slug: 'perplexity',
  name: 'Perplexity',
  baseUrl: 'https://api.perplexity.ai',
  quirks: {
    streamUsage: 'always',
    thinkTags: true,
    // Deep research counts its reasoning in addition to the completion.
    counting: { promptIncludesCache: true, completionIncludesReasoning: false },
    extraCounts: (usage) => ({
      reasoning: countAt(usage, 'reasoning_tokens'),
      ...perplexitySearchCounts(usage),
      upstreamNano: statedCost(objectAt(usage, 'cost').total_cost),
    }),
    searchesIn: perplexitySearchesIn,
  },
})
