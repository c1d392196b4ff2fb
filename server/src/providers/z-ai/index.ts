import { cogviewImages } from '../codecs/openai/cogview-images.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const zAi = openAiHost({
  slug: 'z-ai',
  name: 'Z.ai',
  baseUrl: 'https://api.z.ai/api/paas/v4',
  quirks: {
    streamUsage: 'always',
    renames: { max_completion_tokens: 'max_tokens' },
    finishReasons: { sensitive: 'content_filter', network_error: 'error' },
  },
  media: { image: cogviewImages },
})
