import { Type } from 'typebox'
import { transcriptFormats } from '#dialects/transcriptions/transcript-format.ts'
import { translationsDialect } from '#dialects/translations/translations-dialect.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'
import { transcriptionReply } from './schemas/transcription-reply.ts'
import { transcriptionsEndpoint } from './transcriptions-endpoint.ts'

export const translationsEndpoint: InferenceEndpoint = {
  ...transcriptionsEndpoint,
  dialect: translationsDialect,
  name: 'createTranslation',
  paths: ['/v1/audio/translations'],
  summary: 'Translate a recording into English',
  description: 'Send a form with a file, or JSON with base64 audio. Costs the same as a transcription.',
  body: Type.Object(
    {
      model: Type.String({ description: 'ID of a transcription model that can translate, such as Whisper.' }),
      file: Type.Optional(
        Type.String({
          format: 'binary',
          description: 'Audio file to translate. Form requests only; JSON requests use `input_audio`.',
        }),
      ),
      input_audio: Type.Optional(
        Type.Object(
          { data: Type.String({ description: 'Base64-encoded audio.' }), format: Type.String() },
          { description: 'Audio to translate. JSON requests only; form requests use `file`.' },
        ),
      ),
      prompt: Type.Optional(Type.String({ description: 'Text in English that guides the style.' })),
      temperature: Type.Optional(Type.Number({ minimum: 0 })),
      response_format: Type.Optional(Type.Union(transcriptFormats.map((format) => Type.Literal(format)))),
    },
    { additionalProperties: true },
  ),
  reply: transcriptionReply,
}
