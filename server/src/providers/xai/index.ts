import { xaiImages } from './images.ts'
import { xaiVideos } from './videos.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'

export const xai = openAiHost({
  slug: 'xai',
  name: 'xAI',
  baseUrl: 'https://api.x.ai/v1',
  quirks: { counting: { promptIncludesCache: true, completionIncludesReasoning: false } },
  media: { image: xaiImages, video: xaiVideos },
})
