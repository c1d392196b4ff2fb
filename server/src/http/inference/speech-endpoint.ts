import { Type } from 'typebox'
import { speechDialect } from '#dialects/speech/speech-dialect.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'

export const speechEndpoint: InferenceEndpoint = {
  dialect: speechDialect,
  acceptsApiKeyHeader: false,
  access: 'models.call',
  name: 'createSpeech',
  paths: ['/v1/audio/speech'],
  summary: 'Create speech from text',
  description: 'Audio is streamed while it is generated.',
  body: Type.Object(
    {
      model: Type.String({
        description: 'ID of a speech model. List speech models with `GET /v1/models?output_modalities=speech`.',
      }),
      input: Type.String({ minLength: 1, description: 'Text to convert to speech. Billed per character.' }),
      voice: Type.Optional(
        Type.String({ description: 'Voice to use. Required unless the model has a default voice.' }),
      ),
      response_format: Type.Optional(
        Type.String({
          description:
            'Audio format: `mp3`, `wav`, `opus`, `aac`, `flac`, or `pcm`. Supported formats depend on the model.',
        }),
      ),
      speed: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
      instructions: Type.Optional(Type.String()),
    },
    { additionalProperties: true },
  ),
  example: { model: 'test/speech', input: 'Hello there', voice: 'tone' },
  reply: Type.String({ description: 'The audio, streamed as it is generated.' }),
  replyTypes: ['audio/*'],
  errors: ['unsupportedResponseFormat'],
}
