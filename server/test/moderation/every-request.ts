import type { JsonObject } from '#lib/json.ts'
import { recordingForm } from '#test/media/audio/recording-form.ts'
import { embeddingModel } from '#test/media/embeddings/embeddings-world.ts'
import { formOf, imageModel } from '#test/media/images/images-world.ts'
import { tts, whisper } from '#test/media/audio/audio-models.ts'
import { pngOf } from '#test/media/proxy/sample-images.ts'

const [chat, picture, vectors] = ['openai/gpt-5.2', 'openai/gpt-image-1-mini', 'openai/text-embedding-3-large']

/** Models for all requests but the first, which the sample contains. */
export const askedModels: readonly JsonObject[] = [
  imageModel(picture, 'openai'),
  embeddingModel(vectors, 'openai'),
  tts,
  whisper,
]

/** One synchronous request of every kind, including streams. */
export function everyRequest(words: string): { path: string; body: JsonObject | FormData }[] {
  const user = { role: 'user', content: words }
  const tools = [{ type: 'function', function: { name: 'look', description: words, parameters: { type: 'object' } } }]
  const conversations = [
    { path: '/v1/chat/completions', body: { messages: [{ role: 'system', content: words }, user], tools } },
    { path: '/v1/messages', body: { max_tokens: 10, system: words, messages: [user] } },
    { path: '/v1/responses', body: { instructions: words, input: words, metadata: { words } } },
    { path: '/v1/completions', body: { prompt: words } },
    { path: '/v1/fim/completions', body: { prompt: words } },
  ]
  return [
    ...conversations.flatMap(({ path, body }) =>
      [false, true].map((stream) => ({ path, body: { model: chat, stream, ...body } })),
    ),
    { path: '/v1/embeddings', body: { model: vectors, input: [words] } },
    { path: '/v1/images/generations', body: { model: picture, prompt: words } },
    { path: '/v1/images/generations', body: { model: picture, prompt: words, stream: true } },
    { path: '/v1/images/edits', body: formOf({ model: picture, prompt: words }, [pngOf()]) },
    { path: '/v1/audio/speech', body: { model: 'openai/tts-1', voice: 'alloy', input: words, instructions: words } },
    { path: '/v1/audio/transcriptions', body: recordingForm({ model: 'openai/whisper-1', prompt: words }) },
  ]
}
