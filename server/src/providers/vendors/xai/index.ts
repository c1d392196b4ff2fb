import type { MediaJson } from '#domain/media/media-json.ts'
import { countAt } from '#lib/json.ts'
import { ratioField } from '#providers/codecs/openai/image-sizes.ts'
import { openAiImages } from '#providers/codecs/openai/images.ts'
import { costInTicks } from '#providers/protocols/openai/answer/extra-counts.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { xaiVideos } from './videos.ts'

const ratios = ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '2:1', '1:2', '20:9', '9:20'] as const

/** xAI's sizes are ratios, and input images are sent in JSON: it accepts no forms. */
const image = openAiImages({
  responseFormat: 'b64_json',
  atOnce: 10,
  writeSize: ratioField(ratios, (name) => name.toLowerCase()),
  inputs: {
    kind: 'json',
    path: '/images/edits',
    most: 3,
    write: (addresses) => {
      const images = addresses.map((url): MediaJson => ({ type: 'image_url', url }))
      return images.length === 1 ? { image: images[0] } : { images }
    },
  },
  takesQuality: true,
  extras: ['user'],
})

export const xai = openAiHost({
  slug: 'xai',
  name: 'xAI',
  baseUrl: 'https://api.x.ai/v1',
  quirks: {
    counting: { promptIncludesCache: true, completionIncludesReasoning: false },
    // xAI bills every source that a search found.
    extraCounts: (usage) => ({ webSearches: countAt(usage, 'num_sources_used'), upstreamNano: costInTicks(usage) }),
  },
  responses: {
    thoughts: 'grok',
    takes: new Set(['metadata', 'prompt_cache_key', 'seed', 'temperature', 'top_p', 'truncation']),
  },
  media: { image, video: xaiVideos },
})
