import type { ConversationDialect, DialectCall } from '#dialects/dialect.ts'
import { imagesOrdered } from '#dialects/purpose-of.ts'
import type { Model } from '#domain/catalogue/model.ts'
import type { Part } from '#domain/inference/parts.ts'
import { parseImageSize } from '#domain/media/parse-image-size.ts'
import type { ImageTask, MediaInput } from '#domain/media/media-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'

/** The image that a conversation requests: its last message describes it and contains the input images. */
export function imageTaskOf(dialect: ConversationDialect, call: DialectCall, model: Model): ImageTask {
  const { turns, extras, sampling } = dialect.toCanonical(call)
  const parts = turns.findLast(({ role }) => role === 'user')?.parts ?? []
  const prompt = parts
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('\n')
    .trim()
  if (prompt === '') {
    throw new GatewayError('missingPrompt', { message: 'The last message must include text that describes the image.' })
  }
  return {
    kind: 'image',
    prompt,
    count: imagesOrdered(call, model),
    inputs: parts.flatMap(inputOf),
    ...formOf({ seed: sampling.seed, ...imageFields(extras) }),
  }
}

function inputOf(part: Part): MediaInput[] {
  return part.kind === 'image' ? [part.source] : []
}

/** A conversation's image options: in `image_config`, or in the fields of the images endpoint. */
function imageFields(extras: JsonObject): JsonObject {
  const borrowed = Object.fromEntries(borrowedFields.map((name) => [name, extras[name]]))
  return { ...borrowed, ...objectAt(extras, 'image_config') }
}

const borrowedFields = ['size', 'aspect_ratio', 'quality', 'background', 'output_format', 'negative_prompt'] as const

type Form = Pick<ImageTask, 'size' | 'aspectRatio' | 'quality' | 'extras'>

function formOf(fields: JsonObject): Form {
  const stated = parseImageSize(stringAt(fields, 'size') ?? stringAt(fields, 'image_size') ?? '')
  const extras = Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !placed.has(name) && value !== undefined && value !== null),
  )
  return {
    size: stated.kind === 'pixels' ? stated.size : null,
    aspectRatio: stringAt(fields, 'aspect_ratio') ?? (stated.kind === 'ratio' ? stated.ratio : null),
    quality: stringAt(fields, 'quality') ?? null,
    extras: stated.kind === 'resolution' ? { ...extras, resolution: stated.resolution } : extras,
  }
}

const placed: ReadonlySet<string> = new Set(['size', 'image_size', 'aspect_ratio', 'quality'])
