import type { JsonObject } from '#lib/json.ts'
import { publicFileId } from './file-id.ts'
import type { StoredFile } from './stored-file.ts'

/** A file as the Files API shows it. */
export function fileJson({ id, purpose, name, byteCount, createdAtMs, expiresAtMs }: StoredFile): JsonObject {
  return {
    id: publicFileId(id),
    object: 'file',
    bytes: byteCount,
    created_at: Math.floor(createdAtMs / 1_000),
    expires_at: Math.floor(expiresAtMs / 1_000),
    filename: name,
    purpose,
    status: 'processed',
  }
}
