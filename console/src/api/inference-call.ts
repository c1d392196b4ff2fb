import type { LoggedCall } from './call-log.ts'

/** The kind of a model, which decides the endpoint. */
export type ModelKind = 'chat' | 'image' | 'embeddings' | 'rerank' | 'speech' | 'transcription' | 'video'

export type InferenceCall = Pick<LoggedCall, 'method' | 'path' | 'body'>

/** The kind of a model by its output modalities, or undefined if no endpoint serves it. */
export function modelKindOf(outputs: readonly string[]): ModelKind | undefined {
  if (outputs.includes('text')) return 'chat'
  return kinds.find((kind) => outputs.includes(kind))
}

const kinds: readonly ModelKind[] = ['image', 'embeddings', 'rerank', 'speech', 'transcription', 'video']

const paths: Readonly<Record<ModelKind, string>> = {
  chat: '/v1/chat/completions',
  image: '/v1/images/generations',
  embeddings: '/v1/embeddings',
  rerank: '/v1/rerank',
  speech: '/v1/audio/speech',
  transcription: '/v1/audio/transcriptions',
  video: '/v1/videos',
}

export function callOf(kind: ModelKind, body: Readonly<Record<string, unknown>>): InferenceCall {
  return { method: 'POST', path: paths[kind], body: JSON.stringify(body) }
}

/** The smallest request to a model that returns a useful response. */
export function exampleCall(kind: ModelKind, model: string, voice = 'alloy'): InferenceCall {
  switch (kind) {
    case 'chat':
      return callOf(kind, { model, messages: [{ role: 'user', content: 'Hello there' }] })
    case 'image':
      return callOf(kind, { model, prompt: 'A fox in the snow', size: '1024x1024' })
    case 'embeddings':
      return callOf(kind, { model, input: ['water', 'weir'] })
    case 'rerank':
      return callOf(kind, { model, query: 'river', documents: ['A weir in a river', 'A mountain'] })
    case 'speech':
      return callOf(kind, { model, input: 'Hello there', voice, response_format: 'wav' })
    case 'transcription':
      return callOf(kind, { model, input_audio: { data: '<base64-encoded audio>', format: 'mp3' } })
    case 'video':
      return callOf(kind, { model, prompt: 'A weir in the morning fog' })
  }
}
