import { minimaxVideos } from '../codecs/minimax/videos.ts'
import { minimaxFailure } from '../protocols/openai/minimax-failure.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const minimax = openAiHost({
  slug: 'minimax',
  name: 'MiniMax',
  baseUrl: 'https://api.minimax.io/v1',
  quirks: { thinkTags: true, findFailure: minimaxFailure },
  media: { video: minimaxVideos },
})
