import { Type } from 'typebox'
import { transcriptFormats } from '#dialects/transcriptions/transcript-format.ts'
import { transcriptionsDialect } from '#dialects/transcriptions/transcriptions-dialect.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'
import { transcriptionReply } from './schemas/transcription-reply.ts'

export const transcriptionsEndpoint: InferenceEndpoint = {
  dialect: transcriptionsDialect,
  acceptsApiKeyHeader: false,
  access: 'models.call',
  name: 'createTranscription',
  paths: ['/v1/audio/transcriptions'],
  summary: 'Create a transcription',
  description: 'Send a form with a file, or JSON with base64 audio.',
  form: { fileFields: ['file'], orJson: true },
  takesRecordings: true,
  body: Type.Object(
    {
      model: Type.String({
        description:
          'ID of a transcription model. List transcription models with `GET /v1/models?output_modalities=transcription`.',
      }),
      file: Type.Optional(
        Type.String({
          format: 'binary',
          description: 'Audio file to transcribe. Form requests only; JSON requests use `input_audio`.',
        }),
      ),
      input_audio: Type.Optional(
        Type.Object(
          { data: Type.String({ description: 'Base64-encoded audio.' }), format: Type.String() },
          { description: 'Audio to transcribe. JSON requests only; form requests use `file`.' },
        ),
      ),
      language: Type.Optional(Type.String()),
      prompt: Type.Optional(Type.String()),
      temperature: Type.Optional(Type.Number({ minimum: 0 })),
      response_format: Type.Optional(Type.Union(transcriptFormats.map((format) => Type.Literal(format)))),
      timestamp_granularities: Type.Optional(Type.Array(Type.Union([Type.Literal('word'), Type.Literal('segment')]))),
    },
    { additionalProperties: true },
  ),
  reply: transcriptionReply,
  replyTypes: ['application/json', 'text/plain'],
  errors: ['unsupportedResponseFormat', 'invalidContentType'],
}
