import type { EmbeddingInput, EmbeddingPart } from '#domain/media/media-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'

/** The inputs that an upstream can read besides texts. */
export interface Reads {
  readonly tokens?: true
  readonly images?: true
}

/** Checks all inputs before any is sent. Another upstream may support inputs that this one does not. */
export function refuseUnreadable(inputs: readonly EmbeddingInput[], { tokens, images }: Reads): void {
  if (tokens !== true && inputs.some(({ kind }) => kind === 'tokens')) {
    throw new GatewayError('unsupportedParam', {
      message: '`input`: the providers of this model do not accept token ids. Send strings instead.',
    })
  }
  if (images !== true && inputs.some(({ kind }) => kind === 'parts')) {
    throw new GatewayError('inputImagesNotSupported', {
      message: 'The providers of this model do not accept images for embeddings. Remove the image_url parts.',
    })
  }
}

/** The inputs for an upstream that reads only text. */
export function textsOf(inputs: readonly EmbeddingInput[]): string[] {
  return inputs.map((input) => {
    assert(input.kind === 'text', 'all else has been refused')
    return input.text
  })
}

/** An input for an upstream that reads texts and images, as its parts. */
export function partsOf(input: EmbeddingInput): readonly EmbeddingPart[] {
  assert(input.kind !== 'tokens', 'token ids have been refused')
  return input.kind === 'text' ? [input] : input.parts
}

/** For upstreams that return vectors as numbers, which the gateway can convert to base64. */
export function refuseOtherEncodings(encoding: string | null, known: readonly string[] = ['float', 'base64']): void {
  if (encoding === null || known.includes(encoding)) return
  throw new GatewayError('unsupportedParam', {
    message: `\`encoding_format\`: the providers of this model do not support "${encoding}". Use ${known.join(' or ')}.`,
  })
}
