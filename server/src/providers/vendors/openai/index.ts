import { gptImages } from '#providers/codecs/openai/gpt-images.ts'
import { openAiAudio } from '#providers/codecs/openai/audio.ts'
import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiVideos } from '#providers/codecs/openai/videos.ts'
import { moderateWith } from '#providers/codecs/moderation/moderate-with.ts'
import { isTranslatingWhisper, openAiTranslationWith } from '#providers/codecs/openai/translation.ts'
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
  // Later models are sold through chat and Responses alone.
  completions: {
    serves: (upstreamModel) => /^(?:gpt-3\.5-turbo-instruct|davinci-002|babbage-002)/.test(upstreamModel),
    fillsGaps: (upstreamModel) => upstreamModel.startsWith('gpt-3.5-turbo-instruct'),
    takes: new Set(['n', 'seed', 'frequency_penalty', 'presence_penalty', 'logit_bias', 'user']),
    takesManyPrompts: true,
    hasLogprobs: true,
  },
  responses: openAiResponses,
  realtimePath: '/realtime',
  media: {
    image: gptImages,
    embedding: openAiEmbeddings({ tokens: true, takesUser: true }),
    moderation: moderateWith({ images: true, countsTokens: false }),
    ...openAiAudio,
    translation: openAiTranslationWith({ translates: isTranslatingWhisper }),
    video: openAiVideos,
  },
})
