import { type TSchema, Type } from 'typebox'
import { imageEditsDialect, imagesDialect } from '#dialects/images/images-dialect.ts'
import type { ErrorName } from '#errors/catalogue.ts'
import type { InferenceEndpoint } from './inference-endpoint.ts'
import { imageEvent, imagesReply } from './schemas/images-reply.ts'

const open = { additionalProperties: true } as const

const imageErrors: readonly ErrorName[] = [
  'missingPrompt',
  'invalidN',
  'unsupportedResponseFormat',
  'invalidImageUrl',
  'invalidImageType',
  'tooManyImages',
  'inputImagesNotSupported',
  'pipelineError',
  'noImages',
]

/** What both endpoints take beside model, prompt and images. */
const commonFields = {
  n: Type.Optional(Type.Integer({ minimum: 1, description: 'How many images. Default 1; the most is the model’s.' })),
  size: Type.Optional(
    Type.String({
      description: 'Such as `1024x1024`, `16:9`, `2K` or `auto`. Models get the nearest that they make.',
    }),
  ),
  quality: Type.Optional(Type.String({ description: 'As the model knows it, such as low, medium or high.' })),
  stream: Type.Optional(
    Type.Boolean({ description: 'Send the events heartbeat, image, image-cached, usage and done. Default false.' }),
  ),
  response_format: Type.Optional(Type.Literal('url')),
} satisfies Record<string, TSchema>

const megabyte = 1_024 * 1_024
const imageBytesMax = 10 * megabyte
const imagesMax = 8

export const imagesEndpoints: readonly InferenceEndpoint[] = [
  {
    dialect: imagesDialect,
    acceptsApiKeyHeader: false,
    access: 'models.call',
    name: 'createImage',
    paths: ['/v1/images/generations'],
    summary: 'Make images from words, and from other images where the model can',
    body: Type.Object(
      {
        model: Type.String(),
        prompt: Type.String({ minLength: 1 }),
        ...commonFields,
        image: Type.Optional(
          Type.Union([Type.String(), Type.Array(Type.String())], {
            description: 'Images to start from, each an https URL or a data URI; at most 8.',
          }),
        ),
      },
      open,
    ),
    example: { model: 'test/image', prompt: 'A weir in the fog' },
    reply: imagesReply,
    events: imageEvent,
    errors: imageErrors,
  },
  {
    dialect: imageEditsDialect,
    acceptsApiKeyHeader: false,
    access: 'models.call',
    name: 'editImage',
    paths: ['/v1/images/edits'],
    summary: 'Change images that are sent as files',
    form: {
      // A mask is refused by name, so it must arrive.
      fileFields: ['image', 'image[]', 'mask'],
      fileBytesMax: imageBytesMax,
      // The fields have a megabyte among them.
      bodyBytesMax: imagesMax * imageBytesMax + megabyte,
      orJson: false,
    },
    body: Type.Object(
      {
        image: Type.Array(Type.String({ contentMediaType: 'image/*', format: 'binary' }), {
          minItems: 1,
          maxItems: imagesMax,
          description: 'PNG, JPEG, WebP or GIF files of at most 10 MB each.',
        }),
        prompt: Type.String({ minLength: 1 }),
        model: Type.Optional(Type.String({ description: 'Without one, the operator’s own choice.' })),
        ...commonFields,
      },
      open,
    ),
    reply: imagesReply,
    events: imageEvent,
    errors: [...imageErrors, 'invalidContentType', 'maskNotSupported', 'missingImage', 'imageTooLarge'],
  },
]
