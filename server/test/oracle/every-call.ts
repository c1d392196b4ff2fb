import { recordingForm } from '#test/media/audio/recording-form.ts'
import { formOf } from '#test/media/images/images-world.ts'
import { pngOf } from '#test/media/proxy/sample-images.ts'
import type { Client } from '#test/setup/client.ts'
import type { Reply } from '#test/setup/reply.ts'

type Json = string | number | boolean | null | Json[] | JsonRecord
export interface JsonRecord {
  [name: string]: Json | undefined
}

/** Every endpoint that calls a model. */
export const inferencePaths = {
  chat: '/v1/chat/completions',
  cursor: '/v1/cursor/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  completions: '/v1/completions',
  fim: '/v1/fim/completions',
  embeddings: '/v1/embeddings',
  rerank: '/v1/rerank',
  images: '/v1/images/generations',
  edits: '/v1/images/edits',
  speech: '/v1/audio/speech',
  transcriptions: '/v1/audio/transcriptions',
  translations: '/v1/audio/translations',
  moderations: '/v1/moderations',
  videos: '/v1/videos',
  'video-generations': '/v1/video/generations',
} as const
export type Inference = keyof typeof inferencePaths
export const inferences: readonly Inference[] = [
  'chat',
  'cursor',
  'responses',
  'messages',
  'completions',
  'fim',
  'embeddings',
  'rerank',
  'images',
  'edits',
  'speech',
  'transcriptions',
  'translations',
  'moderations',
  'videos',
  'video-generations',
]

/** Endpoints that respond with events if the body requests a stream. */
export const streamed: readonly Inference[] = [
  'chat',
  'cursor',
  'responses',
  'messages',
  'completions',
  'fim',
  'images',
  'edits',
]

/** The model kind that an endpoint needs. */
export const kinds = {
  chat: 'talk',
  cursor: 'talk',
  responses: 'talk',
  messages: 'talk',
  completions: 'talk',
  fim: 'talk',
  embeddings: 'vectors',
  rerank: 'ranks',
  images: 'picture',
  edits: 'picture',
  speech: 'voice',
  transcriptions: 'ears',
  translations: 'whisper',
  moderations: 'judge',
  videos: 'film',
  'video-generations': 'film',
} as const satisfies Record<Inference, string>

/** The model of a maker that an endpoint can serve. */
export function modelFor(endpoint: Inference, maker = 'acme'): string {
  return `${maker}/${kinds[endpoint]}`
}

export interface Asked {
  readonly model?: string
  readonly prompt?: string
  /** Replaces fields of an ordinary request; `undefined` omits a field. */
  readonly fields?: JsonRecord
}

/** An ordinary request in the endpoint's format. */
export function callOf(endpoint: Inference, asked: Asked = {}): { path: string; body: JsonRecord | FormData } {
  const fields: JsonRecord = { ...fieldsOf(endpoint, asked.prompt ?? 'A heron'), ...asked.fields }
  const path = inferencePaths[endpoint]
  const body = { model: asked.model ?? modelFor(endpoint), ...fields }
  if (endpoint === 'edits') return { path, body: formOf(textsOf(body), [pngOf()]) }
  if (endpoint === 'transcriptions' || endpoint === 'translations') return { path, body: recordingForm(textsOf(body)) }
  return { path, body }
}

export function call(client: Client, endpoint: Inference, asked: Asked = {}, headers = {}): Promise<Reply> {
  const { path, body } = callOf(endpoint, asked)
  return client.post(path, body, { headers })
}

function fieldsOf(endpoint: Inference, prompt: string): JsonRecord {
  switch (endpoint) {
    case 'chat':
    case 'cursor':
    case 'messages':
      return { messages: [{ role: 'user', content: prompt }], max_tokens: 16 }
    case 'completions':
    case 'fim':
      return { prompt, max_tokens: 16 }
    case 'responses':
      return { input: prompt, max_output_tokens: 16 }
    case 'embeddings':
    case 'moderations':
      return { input: prompt }
    case 'rerank':
      return { query: prompt, documents: ['A heron', 'A mill'] }
    case 'speech':
      return { input: prompt, voice: 'alloy' }
    case 'images':
    case 'edits':
    case 'transcriptions':
    case 'translations':
    case 'videos':
    case 'video-generations':
      return { prompt }
  }
}

function textsOf(body: JsonRecord): Record<string, string> {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}
