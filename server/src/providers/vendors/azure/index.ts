import { gptImages } from '#providers/codecs/openai/gpt-images.ts'
import { openAiAudio } from '#providers/codecs/openai/audio.ts'
import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiVideos } from '#providers/codecs/openai/videos.ts'
import { openAiFields } from '#providers/protocols/openai/request/known-fields.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { openAiOutputCap } from '#providers/protocols/openai/request/output-cap.ts'
import { openAiResponses } from '#providers/protocols/responses/openai-responses.ts'

/** The base URL names the operator's resource: `https://{resource}.openai.azure.com/openai/v1`. */
export const azure = openAiHost({
  slug: 'azure',
  name: 'Azure OpenAI',
  baseUrl: null,
  authentication: { kind: 'header', name: 'api-key' },
  quirks: {
    outputCapFor: openAiOutputCap,
    plainSampling: true,
    takes: openAiFields,
    thoughtsFor: () => 'none',
  },
  // It lists every model that it has, and a key calls deployments.
  modelList: false,
  responses: openAiResponses,
  media: {
    image: gptImages,
    embedding: openAiEmbeddings({ tokens: true, takesUser: true }),
    ...openAiAudio,
    video: openAiVideos,
  },
})
