import type { BodyPiece } from '#domain/media/body-piece.ts'
import type { MediaFile } from '#domain/media/media-file.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import type { ExchangeScript, MediaRequest } from '#providers/codecs/exchange-script.ts'

export interface BuiltRequest {
  readonly origin: string
  readonly path: string
  /** The JSON body; empty for any other. */
  readonly json: JsonObject
}

/** Returns the first request of a codec. Nothing is sent, and every image URL holds a small image. */
export function firstRequest(conversation: ExchangeScript<unknown>): BuiltRequest {
  for (let next = conversation.next(); next.done !== true; ) {
    const step = next.value
    if (step.kind === 'send') return builtRequest(step.request)
    next = conversation.next(step.kind === 'fetch-image' ? smallImage : undefined)
  }
  throw new Error('the codec asks its host nothing')
}

export function builtRequest({ origin, path, body }: MediaRequest): BuiltRequest {
  const text = typeof body === 'string' ? body : body.map(textOf).join('')
  return { origin, path, json: parseJsonObject(text) ?? {} }
}

const bytes = Buffer.from('image')
const smallImage: MediaFile = {
  name: 'image.png',
  mediaType: 'image/png',
  byteCount: bytes.length,
  content: { kind: 'memory', bytes },
}

function textOf(piece: BodyPiece): string {
  if (typeof piece === 'string') return piece
  if (Buffer.isBuffer(piece)) return piece.toString('latin1')
  const { content } = piece.file
  const held = content.kind === 'memory' ? content.bytes : Buffer.alloc(0)
  return held.toString(piece.as === 'bytes' ? 'latin1' : 'base64')
}
