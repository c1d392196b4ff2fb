import { anySize, sizeField } from '#providers/codecs/openai/image-sizes.ts'
import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiImages } from '#providers/codecs/openai/images.ts'
import { rerankWith } from '#providers/codecs/rerank/rerank-with.ts'
import { cacheHitTokens } from '#providers/protocols/openai/answer/extra-counts.ts'
import { hasNoChoice } from '#providers/protocols/openai/request/thinking-default.ts'
import { type OpenAiHost, openAiHost } from '#providers/protocols/openai/openai-host.ts'

const both = {
  quirks: {
    extraCounts: cacheHitTokens,
    thinkingField: 'enable_thinking',
    refusesFor: (upstreamModel) => (hasNoChoice(upstreamModel) ? ['enable_thinking', 'thinking_budget'] : []),
  },
  media: {
    image: openAiImages({
      atOnce: 4,
      countField: 'batch_size',
      writeSize: sizeField(() => anySize, 'image_size'),
      // Input images have one field each.
      inputs: { kind: 'json', most: 3, write: ([image, image2, image3]) => ({ image, image2, image3 }) },
      extras: ['seed', 'num_inference_steps', 'guidance_scale', 'negative_prompt', 'cfg'],
    }),
    embedding: openAiEmbeddings({ inputsMax: 32 }),
    rerank: rerankWith({ extras: ['max_chunks_per_doc', 'overlap_tokens'] }),
  },
} as const satisfies Partial<OpenAiHost>

export const siliconflow = openAiHost({
  slug: 'siliconflow',
  name: 'SiliconFlow',
  baseUrl: 'https://api.siliconflow.com/v1',
  ...both,
})

export const siliconflowCn = openAiHost({
  slug: 'siliconflow-cn',
  name: 'SiliconFlow (China)',
  baseUrl: 'https://api.siliconflow.cn/v1',
  ...both,
})
