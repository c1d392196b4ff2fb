import type { Model } from '#domain/catalogue/model.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { DialectCall } from '../dialect.ts'
import { imageCountOf } from './parse-embeddings.ts'

/** Models of conversations make no vectors, and most that make vectors read nothing but text. */
export function refuseUnfitModel({ media }: DialectCall, model: Model): void {
  if (!model.outputModalities.includes('embeddings')) {
    throw new GatewayError('modelEndpointMismatch', {
      message: `"${model.id}" makes no embeddings. ${otherPlace(model)} GET /v1/models?output_modalities=embeddings lists models that do.`,
    })
  }
  const images = media?.task.kind === 'embedding' ? imageCountOf(media.task) : 0
  if (images === 0 || takesImages(model)) return
  throw new GatewayError('inputImagesNotSupported', {
    message: `"${model.id}" makes embeddings of text alone. Leave the image_url parts out, or choose a multimodal model.`,
  })
}

/** A catalogue that has a price for images says as much as one that lists them. */
function takesImages({ inputModalities, price }: Model): boolean {
  const { per_image_input: byPiece, image_input_token: byToken } = price?.base ?? {}
  return inputModalities.includes('image') || byPiece !== undefined || byToken !== undefined
}

function otherPlace({ kind }: Model): string {
  switch (kind) {
    case 'chat':
      return 'Use it on POST /v1/chat/completions.'
    case 'image':
      return 'Use it on POST /v1/images/generations.'
    case 'video':
      return 'Use it on POST /v1/videos.'
    case 'speech':
      return 'Use it on POST /v1/audio/speech.'
    case 'transcription':
      return 'Use it on POST /v1/audio/transcriptions.'
    case 'embedding':
    case 'rerank':
    case 'realtime':
      return 'It has no endpoint here.'
  }
}
