import { gptImages } from '../codecs/openai/gpt-images.ts'
import { openAiAudio } from '../codecs/openai/audio.ts'
import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { openAiVideos } from '../codecs/openai/videos.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'
import { openAiOutputCap } from '../protocols/openai/output-cap.ts'

/** The base URL names the operator's resource: `https://{resource}.openai.azure.com/openai/v1`. */
export const azure = openAiHost({
  slug: 'azure',
  name: 'Azure OpenAI',
  baseUrl: null,
  authentication: { kind: 'header', name: 'api-key' },
  // A deployment is usually named for its model, so the name still tells which field it wants.
  quirks: { outputCapFor: openAiOutputCap },
  media: {
    image: gptImages,
    embedding: openAiEmbeddings({ tokens: true, takesUser: true }),
    ...openAiAudio,
    video: openAiVideos,
  },
})
