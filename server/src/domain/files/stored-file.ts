import type { Uuid } from '#lib/uuid.ts'

/** `message_batch` and its results are not files of the Files API: only their batch shows them. */
export const filePurposes = ['batch', 'batch_output'] as const
export type FilePurpose = (typeof filePurposes)[number] | 'message_batch' | 'message_batch_results'

export interface StoredFile {
  readonly id: Uuid
  readonly purpose: FilePurpose
  readonly name: string
  readonly byteCount: number
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

/** Size of the plain text of a blob. A file is cut into chunks, so that any part of it can be decrypted alone. */
export const fileChunkBytes = 1_048_576

export const fileBlobPrefix = 'files/'

export function fileBlobKey(id: Uuid, position: number): string {
  return `${fileBlobPrefix}${id}/${String(position).padStart(6, '0')}`
}
