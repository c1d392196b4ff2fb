import { togetherImages } from './images.ts'
import { openAiAudio } from '../codecs/openai/audio.ts'
import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { isJsonObject } from '#lib/json.ts'
import { topLevelCachedTokens } from '../protocols/openai/extra-counts.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const together = openAiHost({
  slug: 'together',
  name: 'Together AI',
  baseUrl: 'https://api.together.xyz/v1',
  quirks: {
    renames: { max_completion_tokens: 'max_tokens' },
    finishBody: (body) => {
      if (typeof body.stop === 'string') body.stop = [body.stop]
      if (isJsonObject(body.response_format) && body.response_format.type === 'text') delete body.response_format
    },
    extraCounts: topLevelCachedTokens,
    finishReasons: { eos: 'stop' },
  },
  media: { image: togetherImages, embedding: openAiEmbeddings(), ...openAiAudio },
})
