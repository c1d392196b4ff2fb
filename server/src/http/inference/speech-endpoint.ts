import { Type } from 'typebox'
import { speechDialect } from '#dialects/speech/speech-dialect.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'

export const speechEndpoint: InferenceEndpoint = {
  dialect: speechDialect,
  acceptsApiKeyHeader: false,
  access: 'models.call',
  name: 'createSpeech',
  paths: ['/v1/audio/speech'],
  summary: 'Speak a text; the audio is passed on as it is made',
  body: Type.Object(
    {
      model: Type.String({ description: 'One of GET /v1/models?output_modalities=speech.' }),
      input: Type.String({ minLength: 1, description: 'What to say; charged by the character.' }),
      voice: Type.Optional(Type.String({ description: 'Required unless the model has a voice of its own.' })),
      response_format: Type.Optional(
        Type.String({ description: 'mp3, wav, opus, aac, flac or pcm, as the model can.' }),
      ),
      speed: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
      instructions: Type.Optional(Type.String()),
    },
    { additionalProperties: true },
  ),
  example: { model: 'test/speech', input: 'Hello there', voice: 'tone' },
  reply: Type.String({ description: 'The audio.' }),
  replyTypes: ['audio/*'],
  errors: ['unsupportedResponseFormat'],
}
