import { playedOrigin } from '#domain/test-models/played-origin.ts'
import { anySize, sizeField } from './codecs/openai/image-sizes.ts'
import { openAiEmbeddings } from './codecs/openai/embeddings.ts'
import { openAiImages } from './codecs/openai/images.ts'
import { moderateWith } from './codecs/moderation/moderate-with.ts'
import { openAiSpeechWith } from './codecs/openai/speech.ts'
import { openAiTranscriptionWith } from './codecs/openai/transcription.ts'
import { openAiTranslationWith } from './codecs/openai/translation.ts'
import { openAiVideos } from './codecs/openai/videos.ts'
import { rerankWith } from './codecs/rerank/rerank-with.ts'
import { openAiHost } from './protocols/openai/openai-host.ts'

/** The vendor of test models: the process itself, with OpenAI's API. */
export const playedVendor = openAiHost({
  slug: 'test',
  name: 'Test models',
  baseUrl: playedOrigin,
  authentication: { kind: 'optional-bearer' },
  quirks: { streamUsage: 'always' },
  media: {
    image: openAiImages({
      writeSize: sizeField(() => anySize),
      inputs: { kind: 'form', path: '/images/edits', field: 'image[]', most: 8 },
    }),
    embedding: openAiEmbeddings({ tokens: true }),
    rerank: rerankWith(),
    moderation: moderateWith({ images: true }),
    speech: openAiSpeechWith({ defaultFormat: 'wav', formats: ['wav', 'pcm'], hasOneSpeed: true }),
    transcription: openAiTranscriptionWith({
      formatFor: () => 'verbose_json',
      granularityField: 'timestamp_granularities[]',
    }),
    translation: openAiTranslationWith(),
    video: openAiVideos,
  },
})
