import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { openAiEmbeddings } from '#providers/codecs/openai/embeddings.ts'
import { openAiSpeechWith } from '#providers/codecs/openai/speech.ts'
import { openAiTranscription } from '#providers/codecs/openai/transcription.ts'
import { isTranslatingWhisper, openAiTranslationWith } from '#providers/codecs/openai/translation.ts'
import { sideFields } from '#providers/codecs/openai/image-sizes.ts'
import { openAiImages } from '#providers/codecs/openai/images.ts'
import { rerankWith } from '#providers/codecs/rerank/rerank-with.ts'
import { topLevelCachedTokens } from '#providers/protocols/openai/answer/extra-counts.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'

const image = openAiImages({
  responseFormat: 'base64',
  atOnce: 4,
  writeSize: sideFields({ step: 16, side: { least: 256, most: 1_792 }, pixels: { least: 65_536, most: 3_211_264 } }),
  inputs: {
    kind: 'json',
    most: 8,
    write: (addresses) => (addresses.length === 1 ? { image_url: addresses[0] } : { reference_images: addresses }),
  },
  extras: ['steps', 'seed', 'negative_prompt', 'guidance_scale', 'output_format'],
})

/** The number of log probabilities is a single field here. */
function countLogprobs(body: JsonObject): void {
  const { logprobs, top_logprobs: most } = body
  delete body.top_logprobs
  if (logprobs === true) body.logprobs = typeof most === 'number' && most > 0 ? most : 1
  else delete body.logprobs
}

export const together = openAiHost({
  slug: 'together',
  name: 'Together AI',
  baseUrl: 'https://api.together.ai/v1',
  quirks: {
    // From its SDK 0.52. Together also knows `reasoning`, but only as a switch.
    takes: new Set([
      'chat_template_kwargs',
      'frequency_penalty',
      'logit_bias',
      'logprobs',
      'min_p',
      'n',
      'presence_penalty',
      'reasoning_effort',
      'repetition_penalty',
      'seed',
      'top_k',
      'top_logprobs',
    ]),
    thinkingField: 'reasoning_enabled',
    efforts: ['low', 'medium', 'high'],
    qwenAtRest: { chat_template_kwargs: { enable_thinking: false } },
    finishBody: (body) => {
      countLogprobs(body)
      if (typeof body.stop === 'string') body.stop = [body.stop]
      if (isJsonObject(body.response_format) && body.response_format.type === 'text') delete body.response_format
    },
    extraCounts: topLevelCachedTokens,
    finishReasons: { eos: 'stop' },
  },
  completions: {
    takes: new Set([
      'n',
      'seed',
      'frequency_penalty',
      'presence_penalty',
      'repetition_penalty',
      'top_k',
      'min_p',
      'logit_bias',
    ]),
  },
  media: {
    image,
    embedding: openAiEmbeddings(),
    rerank: rerankWith({ repeatsDocuments: true }),
    speech: openAiSpeechWith({ formats: ['mp3', 'wav', 'pcm'], formatNames: { pcm: 'raw' }, hasOneSpeed: true }),
    transcription: openAiTranscription,
    translation: openAiTranslationWith({ translates: isTranslatingWhisper }),
  },
})
