import { openrouterImages } from './images.ts'
import { openAiSpeechWith } from '../codecs/openai/speech.ts'
import { openRouterTranscription } from './transcription.ts'
import { openAiEmbeddings } from '../codecs/openai/embeddings.ts'
import { writeItems } from '../codecs/openai/write-items.ts'
import { openAiHost } from '../protocols/openai/openai-host.ts'
import { openRouterVideos } from './videos.ts'

export const openrouter = openAiHost({
  slug: 'openrouter',
  name: 'OpenRouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  quirks: { streamUsage: 'always', acceptsPlugins: true, gatewayFields: ['route'] },
  media: {
    image: openrouterImages,
    embedding: openAiEmbeddings({ tokens: true, images: true, takesUser: true, writeInputs: writeItems }),
    speech: openAiSpeechWith({ defaultFormat: 'mp3' }),
    transcription: openRouterTranscription,
    video: openRouterVideos,
  },
})
