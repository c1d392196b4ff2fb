import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { type BodyPiece, byteCountOf, type FilePiece } from '#domain/media/body-piece.ts'

/** A body that is read from its files while it is sent. */
interface BodyStream {
  readonly stream: Readable
  readonly byteCount: number
}

export function openBody(pieces: readonly BodyPiece[]): BodyStream {
  const byteCount = pieces.reduce((sum, piece) => sum + byteCountOf(piece), 0)
  return { stream: Readable.from(chunksOf(pieces), { objectMode: false, highWaterMark: readBytes }), byteCount }
}

// Divisible by three, so that base64 chunks can be concatenated.
const readBytes = 49_152

async function* chunksOf(pieces: readonly BodyPiece[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      if (piece !== '') yield Buffer.from(piece)
    } else if (Buffer.isBuffer(piece)) yield piece
    else if (piece.as === 'bytes') yield* bytesOf(piece)
    else yield* base64Of(piece)
  }
}

async function* bytesOf({ file: { content } }: FilePiece): AsyncGenerator<Buffer> {
  if (content.kind === 'memory') yield content.bytes
  else yield* createReadStream(content.path, { highWaterMark: readBytes })
}

async function* base64Of(piece: FilePiece): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of bytesOf(piece)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % 3)
    rest = bytes.subarray(whole)
    yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1')
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1')
}
