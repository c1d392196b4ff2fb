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

/** Fields of both endpoints besides model, prompt and images. */
const commonFields = {
  n: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Number of images to generate. Defaults to 1; the maximum depends on the model.',
    }),
  ),
  size: Type.Optional(
    Type.String({
      description:
        'Image size, such as `1024x1024`, `16:9`, `2K`, or `auto`. An unsupported size is mapped to the nearest one the model supports.',
    }),
  ),
  quality: Type.Optional(
    Type.String({
      description: 'Image quality, such as `low`, `medium`, or `high`. Supported values depend on the model.',
    }),
  ),
  stream: Type.Optional(
    Type.Boolean({
      description:
        'Whether to stream the `heartbeat`, `image`, `image-cached`, `usage`, and `done` events. Defaults to `false`.',
    }),
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
    summary: 'Create images',
    description: 'Generates images from text, and from other images if the model supports it.',
    body: Type.Object(
      {
        model: Type.String(),
        prompt: Type.String({ minLength: 1 }),
        ...commonFields,
        image: Type.Optional(
          Type.Union([Type.String(), Type.Array(Type.String())], {
            description: 'Input images, for models that accept them. Each is an HTTPS URL or a data URI; at most 8.',
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
    summary: 'Edit images',
    description: 'Send the images as files in a form.',
    form: {
      // A mask is rejected by name, so the form must accept it.
      fileFields: ['image', 'image[]', 'mask'],
      orJson: false,
      // The text fields share one megabyte.
      sizes: { fileBytesMax: imageBytesMax, bodyBytesMax: imagesMax * imageBytesMax + megabyte },
    },
    body: Type.Object(
      {
        image: Type.Array(Type.String({ contentMediaType: 'image/*', format: 'binary' }), {
          minItems: 1,
          maxItems: imagesMax,
          description: 'Images to edit, as PNG, JPEG, WebP, or GIF files. At most 8 files of 10 MB each.',
        }),
        prompt: Type.String({ minLength: 1 }),
        model: Type.Optional(
          Type.String({ description: 'Model ID. Defaults to the model configured by the gateway operator.' }),
        ),
        ...commonFields,
      },
      open,
    ),
    reply: imagesReply,
    events: imageEvent,
    errors: [...imageErrors, 'invalidContentType', 'maskNotSupported', 'missingImage', 'imageTooLarge'],
  },
]
