import { isJsonObject } from '#lib/json.ts'
import { openAiAudio } from '#providers/codecs/openai/audio.ts'
import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { sideFields } from '#providers/codecs/openai/image-sizes.ts'
import { openAiImages } from '#providers/codecs/openai/images.ts'
import { topLevelCachedTokens } from '#providers/protocols/openai/answer/extra-counts.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

const image = openAiImages({
  responseFormat: 'base64',
  atOnce: 4,
  writeSize: sideFields({ step: 16, side: { least: 256, most: 1_792 }, pixels: { least: 65_536, most: 3_211_264 } }),
  inputs: {
    kind: 'json',
    most: 8,
    write: (addresses) => (addresses.length === 1 ? { image_url: addresses[0] } : { reference_images: addresses }),
  },
  extras: ['steps', 'seed', 'negative_prompt', 'guidance_scale', 'output_format'],
})

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
  media: { image, embedding: openAiEmbeddings(), ...openAiAudio },
})
