import { Type } from 'typebox'
import { orderOfForm } from '#dialects/videos/order-of-form.ts'
import { videosDialect } from '#dialects/videos/videos-dialect.ts'
import type { InferenceEndpoint } from '../inference/inference-endpoint.ts'
import { oneOf, sent, text } from '../inference/schemas/shapes.ts'
import { videoJobSchema } from './video-job-schema.ts'

const image = oneOf('VideoInput', [
  text('HTTPS URL of the image or video.'),
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
  summary: 'Create a video job',
  description: 'Returns a job. Poll it, or receive a webhook when the video is finished.',
  status: 202,
  body: Type.Object(
    {
      model: Type.String(),
      prompt: Type.String(),
      duration: Type.Optional(
        Type.Integer({
          minimum: 1,
          description:
            'Length of the video in seconds, within the limits of the model. Form requests can also use `seconds`.',
        }),
      ),
      resolution: Type.Optional(Type.String({ description: 'Video resolution, such as `480p`, `720p`, or `1080p`.' })),
      aspect_ratio: Type.Optional(
        Type.String({ description: 'Aspect ratio, such as `16:9`. Ignored if an input image or video determines it.' }),
      ),
      size: Type.Optional(Type.String({ description: 'Video size in pixels, such as `1280x720`.' })),
      generate_audio: Type.Optional(Type.Boolean()),
      watermark: Type.Optional(Type.Boolean({ default: false })),
      seed: Type.Optional(Type.Integer({ minimum: 0 })),
      frame_images: Type.Optional(Type.Array(image, { maxItems: 2 })),
      input_references: Type.Optional(Type.Array(image, { minItems: 1, maxItems: 9 })),
      input_video: Type.Optional(image),
      callback_url: Type.Optional(
        Type.String({ description: 'HTTPS URL that receives a webhook when the job finishes.' }),
      ),
    },
    { additionalProperties: true },
  ),
  example: { model: 'test/video', prompt: 'A weir in the fog', duration: 4 },
  reply: videoJobSchema,
  errors: ['invalidContentType'],
}
