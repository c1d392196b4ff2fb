import { join } from 'node:path'
import type { Config } from '#config/config-schema.ts'
import type { UploadDeps } from '#http/forms/upload.ts'
import { createUploadFolders } from '#http/forms/upload-folders.ts'
import { createUploadRoom } from '#http/forms/upload-room.ts'

export interface WiredUploads extends UploadDeps {
  prepare(): Promise<void>
}

const drainTimeoutMs = 5_000

/** Temporary storage of uploaded files, and its limits. */
export function wireUploads({ uploads, dataDir }: Config, nowMs: () => number): WiredUploads {
  const folders = createUploadFolders(join(dataDir, 'uploads'))
  return {
    folders,
    room: createUploadRoom({ perKeyMax: uploads.perKeyMax, bytesMax: uploads.bytesMax }),
    idleTimeoutMs: uploads.idleTimeoutMs,
    drainTimeoutMs,
    prepare: () => folders.prepare(nowMs()),
  }
}
