import type { MediaFile } from './media-file.ts'

/**
 * A part of a request body. Files are read while the body is sent, so that they are never held in memory as a whole.
 */
export type BodyPiece = string | Buffer | FilePiece

export interface FilePiece {
  readonly file: MediaFile
  readonly as: 'bytes' | 'base64'
}

export function byteCountOf(piece: BodyPiece): number {
  if (typeof piece === 'string') return Buffer.byteLength(piece)
  if (Buffer.isBuffer(piece)) return piece.length
  const { byteCount } = piece.file
  return piece.as === 'bytes' ? byteCount : Math.ceil(byteCount / 3) * 4
}
