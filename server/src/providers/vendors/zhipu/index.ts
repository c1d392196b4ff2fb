import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { sizeField } from '#providers/codecs/openai/image-sizes.ts'
import { openAiImages } from '#providers/codecs/openai/images.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'

const quirks: Partial<OpenAiQuirks> = {
  streamUsage: 'always',
  finishReasons: { sensitive: 'content_filter', network_error: 'error' },
  thinkingField: 'thinking',
  replay: 'content',
}

/** CogView and GLM-Image return one image at a time, as a URL. */
const image = openAiImages({
  atOnce: 1,
  writeSize: sizeField(() => ({
    step: 32,
    side: { least: 512, most: 2_048 },
    pixels: { least: 262_144, most: 2_097_152 },
  })),
  takesQuality: true,
})

/** Zhipu outside China, where it has no embeddings. */
export const zAi = openAiHost({
  slug: 'z-ai',
  name: 'Z.ai',
  baseUrl: 'https://api.z.ai/api/paas/v4',
  quirks,
  media: { image },
})

export const zhipuCn = openAiHost({
  slug: 'zhipu-cn',
  name: 'Zhipu AI',
  baseUrl: 'https://open.bigmodel.cn/api/paas/v4',
  quirks,
  media: { image, embedding: openAiEmbeddings({ inputsMax: 64 }) },
})
