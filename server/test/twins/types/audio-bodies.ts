import { builtRequest, firstRequest } from '#test/media/first-request.ts'
import { vertexHost } from '../calls/media-upstreams.ts'
import { type Asked, codecOf, speechTask, targetOf, transcriptionTask } from '../ours/ask-media.ts'
import { bodyOf } from './body-of.ts'
import { geminiType, mistralType, openAiType, togetherType } from './sdk-types.ts'
import type { SdkType, TypedBody } from './typed-body.ts'

const speakers: readonly [Asked, SdkType][] = [
  [{ provider: 'openai', model: 'gpt-4o-mini-tts' }, openAiType('Audio.SpeechCreateParams')],
  [{ provider: 'together', model: 'cartesia/sonic' }, togetherType('Audio.SpeechCreateParams')],
  [{ provider: 'mistral', model: 'voxtral-mini-tts' }, mistralType('SpeechRequest$Outbound')],
  [{ provider: 'google-ai-studio', model: 'gemini-2.5-flash-preview-tts' }, geminiType],
  [{ ...vertexHost, model: 'gemini-2.5-flash-tts' }, geminiType],
  [
    { provider: 'groq', model: 'canopylabs/orpheus-v1-english' },
    { sdk: 'groq-sdk', imported: "import type Groq from 'groq-sdk'", name: 'Groq.Audio.SpeechCreateParams' },
  ],
  [
    { provider: 'cartesia', model: 'sonic-3' },
    {
      sdk: '@cartesia/cartesia-js',
      imported: "import type Cartesia from '@cartesia/cartesia-js'",
      name: 'Cartesia.TTSGenerateParams',
    },
  ],
]
const formats = ['mp3', 'wav', 'opus', 'aac', 'flac', 'pcm', null]

const transcript: SdkType = {
  sdk: 'assemblyai',
  imported: "import type { TranscriptParams } from 'assemblyai'",
  name: 'TranscriptParams',
}

/** Speech, transcriptions and vectors: model × format, language or length. */
export function audioBodies(): TypedBody[] {
  return [
    ...speakers.flatMap(([asked, type]) =>
      formats.flatMap((format) => [null, 1.25].flatMap((speed) => spoken(asked, type, { format, speed }))),
    ),
    ...['universal-2', 'universal-3-pro'].flatMap((model) =>
      ['en', null].flatMap((language) => heard(model, language)),
    ),
    ...embedded({ provider: 'openai', model: 'text-embedding-3-large' }, openAiType('EmbeddingCreateParams')),
    ...embedded({ provider: 'together', model: 'BAAI/bge-base-en-v1.5' }, togetherType('EmbeddingCreateParams')),
  ]
}

function spoken(asked: Asked, type: SdkType, task: { format: string | null; speed: number | null }): TypedBody[] {
  const wish = `${task.format ?? 'default'}${task.speed === null ? '' : ' faster'}`
  const build = () => builtRequest(codecOf(asked, 'speech').buildRequest(speechTask(task), targetOf(asked)))
  return bodyOf({ asked, capability: 'speech', wish, typeFor: () => type, build })
}

function heard(model: string, language: string | null): TypedBody[] {
  const asked: Asked = { provider: 'assemblyai', model }
  const build = () => {
    const conversation = codecOf(asked, 'transcription').converse(transcriptionTask({ language }), targetOf(asked))
    conversation.next()
    const uploaded = { status: 200, headers: {}, body: Buffer.from('{"upload_url":"https://cdn.test/1"}') }
    const next = conversation.next(uploaded)
    if (next.done === true || next.value.kind !== 'send') throw new Error('the codec submits what it has uploaded')
    return builtRequest(next.value.request)
  }
  return bodyOf({
    asked,
    capability: 'transcription',
    wish: language ?? 'any language',
    typeFor: () => transcript,
    build,
  })
}

function embedded(asked: Asked, type: SdkType): TypedBody[] {
  const inputs = [{ kind: 'text', text: 'one' }] as const
  return [null, 256].flatMap((dimensions) => {
    const task = { kind: 'embedding', inputs, encoding: null, extras: {}, dimensions } as const
    const build = () => firstRequest(codecOf(asked, 'embedding').converse(task, targetOf(asked)))
    const wish = dimensions === null ? 'plain' : 'dimensions'
    return bodyOf({ asked, capability: 'embeddings', wish, typeFor: () => type, build })
  })
}
