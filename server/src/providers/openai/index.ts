import { gptImages } from '../codecs/openai/gpt-images.ts'
import { openAiAudio } from '../codecs/openai/audio.ts'
import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { openAiVideos } from '../codecs/openai/videos.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'
import { openAiOutputCap } from '../protocols/openai/output-cap.ts'

export const openai = openAiHost({
  slug: 'openai',
  name: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  quirks: { outputCapFor: openAiOutputCap },
  media: {
    image: gptImages,
    embedding: openAiEmbeddings({ tokens: true, takesUser: true }),
    ...openAiAudio,
    video: openAiVideos,
  },
})
