import { statedCost } from '#domain/money/stated-cost.ts'
import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiSpeechWith } from '#providers/codecs/openai/speech.ts'
import { openAiTranscriptionWith } from '#providers/codecs/openai/transcription.ts'
import { writeItems } from '#providers/codecs/openai/write-items.ts'
import { rerankWith } from '#providers/codecs/rerank/rerank-with.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { openrouterImages } from './images.ts'
import { openRouterSearchesIn } from './searches.ts'
import { openRouterVideos } from './videos.ts'

/** OpenRouter reports the cost of each transcription, and responds only in plain JSON. */
const transcription = openAiTranscriptionWith({
  formatFor: () => 'json',
  granularityField: 'timestamp_granularities[]',
})

export const openrouter = openAiHost({
  slug: 'openrouter',
  name: 'OpenRouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  quirks: {
    streamUsage: 'always',
    acceptsPlugins: true,
    gatewayFields: ['route'],
    thinkingField: 'reasoning',
    replay: 'details',
    takesCacheMarks: true,
    // If the account has its own provider key (BYOK) at OpenRouter, the provider bills separately.
    extraCounts: (usage) => (usage.is_byok === true ? {} : { upstreamNano: statedCost(usage.cost) }),
    searchesIn: openRouterSearchesIn,
  },
  media: {
    image: openrouterImages,
    embedding: openAiEmbeddings({ tokens: true, images: true, takesUser: true, writeInputs: writeItems }),
    // Tokens are counted for some models only, so only prices of search units are charged.
    rerank: rerankWith({ countsTokens: false }),
    speech: openAiSpeechWith({ defaultFormat: 'mp3' }),
    transcription,
    video: openRouterVideos,
  },
})
