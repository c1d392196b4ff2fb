import { Type } from 'typebox'
import { orderOfForm } from '#dialects/videos/order-of-form.ts'
import { videosDialect } from '#dialects/videos/videos-dialect.ts'
import type { InferenceEndpoint } from '../inference/inference-endpoint.ts'
import { oneOf, sent, text } from '../inference/schemas/shapes.ts'
import { videoJobSchema } from './video-job-schema.ts'

const image = oneOf('VideoInput', [
  text('An https URL.'),
  sent('VideoInputObject', { url: Type.Optional(Type.String()), type: Type.Optional(Type.String()) }),
])

export const submitVideoEndpoint: InferenceEndpoint = {
  dialect: videosDialect,
  acceptsApiKeyHeader: false,
  access: 'models.call',
  looksInto: true,
  readForm: orderOfForm,
  name: 'submitVideo',
  paths: ['/v1/videos', '/v1/video/generations'],
  summary: 'Have a video made; the answer is a job to ask for',
  status: 202,
  body: Type.Object(
    {
      model: Type.String(),
      prompt: Type.String(),
      duration: Type.Optional(
        Type.Integer({ minimum: 1, description: 'Seconds, within the limits of the model. In a form also `seconds`.' }),
      ),
      resolution: Type.Optional(Type.String({ description: 'Such as 480p, 720p or 1080p.' })),
      aspect_ratio: Type.Optional(Type.String({ description: 'Such as 16:9; an input image decides otherwise.' })),
      size: Type.Optional(Type.String({ description: 'Such as 1280x720.' })),
      generate_audio: Type.Optional(Type.Boolean()),
      watermark: Type.Optional(Type.Boolean({ default: false })),
      seed: Type.Optional(Type.Integer({ minimum: 0 })),
      frame_images: Type.Optional(Type.Array(image, { maxItems: 2 })),
      input_references: Type.Optional(Type.Array(image, { minItems: 1, maxItems: 9 })),
      input_video: Type.Optional(image),
      callback_url: Type.Optional(Type.String({ description: 'Called when the job is over; https only.' })),
    },
    { additionalProperties: true },
  ),
  example: { model: 'test/video', prompt: 'A weir in the fog', duration: 4 },
  reply: videoJobSchema,
  errors: ['invalidContentType'],
}
