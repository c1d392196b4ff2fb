import { minimaxVideos } from '../codecs/minimax/videos.ts'
import { minimaxFailure } from '../protocols/openai/minimax-failure.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const minimaxCn = openAiHost({
  slug: 'minimax-cn',
  name: 'MiniMax (China)',
  baseUrl: 'https://api.minimaxi.com/v1',
  quirks: { thinkTags: true, findFailure: minimaxFailure },
  media: { video: minimaxVideos },
})
