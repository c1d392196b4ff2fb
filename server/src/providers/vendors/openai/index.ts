import { gptImages } from '#providers/codecs/openai/gpt-images.ts'
import { openAiAudio } from '#providers/codecs/openai/audio.ts'
import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiVideos } from '#providers/codecs/openai/videos.ts'
import { openAiFields } from '#providers/protocols/openai/request/known-fields.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { openAiOutputCap } from '#providers/protocols/openai/request/output-cap.ts'
import { openAiResponses } from '#providers/protocols/responses/openai-responses.ts'
import { searchModels } from './search-models.ts'

export const openai = openAiHost({
  slug: 'openai',
  name: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  quirks: {
    outputCapFor: openAiOutputCap,
    plainSampling: true,
    takes: openAiFields,
    thoughtsFor: () => 'none',
    ...searchModels,
    ownBase: /^https?:\/\/(?:[\w.-]+\.)?openai\.com(?::\d+)?(?:\/|$)/,
  },
  responses: openAiResponses,
  media: {
    image: gptImages,
    embedding: openAiEmbeddings({ tokens: true, takesUser: true }),
    ...openAiAudio,
    video: openAiVideos,
  },
})
