import { createReadStream } from 'node:fs'
import type { Principal } from '#domain/access/principal.ts'
import { fileOwnerOf } from '#domain/files/file-owner.ts'
import type { StoredFile } from '#domain/files/stored-file.ts'
import type { FormFile } from '#domain/media/media-file.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import type { Files } from '#ports/files.ts'

export interface UploadFileDeps {
  readonly files: Pick<Files, 'create'>
  readonly bytesMax: number
  readonly retentionMs: number
}

interface Upload {
  readonly principal: Principal
  readonly fields: JsonObject
  readonly files: readonly FormFile[]
  readonly nowMs: number
}

/** Stores an uploaded file. */
export async function uploadFile(
  deps: UploadFileDeps,
  { principal, fields, files, nowMs }: Upload,
): Promise<StoredFile> {
  const [file] = files
  if (file === undefined || files.length > 1) throw missing('file', 'Send exactly one file in the field `file`.')
  if (fields.purpose === undefined) throw missing('purpose', '`purpose` is required.')
  if (fields.purpose !== 'batch') throw malformed('`purpose` must be `batch`. Other files are not supported.')
  if (file.byteCount > deps.bytesMax) {
    throw new GatewayError('bodyTooLarge', { message: `A file can have at most ${deps.bytesMax} bytes.` })
  }
  const created = await deps.files.create(
    {
      ...fileOwnerOf(principal),
      id: newUuid(nowMs),
      userId: principal.userId,
      purpose: 'batch',
      name: file.name === '' ? 'batch.jsonl' : file.name,
      byteCount: file.byteCount,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + lifeMsOf(fields, deps.retentionMs),
    },
    contentOf(file),
  )
  if (created === 'full') throw tooManyFiles()
  return created
}

export function tooManyFiles(): GatewayError {
  return new GatewayError('tooManyFiles', {
    message: 'The account has the maximum number or size of files. Delete files that you no longer need.',
  })
}

const lifeSecondsMin = 3_600

/** `expires_after` of the Files API, which its clients send as two fields. It can only shorten the life of a file. */
function lifeMsOf(fields: JsonObject, retentionMs: number): number {
  const seconds = fields['expires_after[seconds]']
  const anchor = fields['expires_after[anchor]']
  if (seconds === undefined && anchor === undefined) return retentionMs
  const value = typeof seconds === 'string' && /^\d{1,9}$/.test(seconds) ? Number(seconds) : 0
  if (anchor !== 'created_at' || value < lifeSecondsMin) {
    throw malformed(`\`expires_after\` must have the anchor \`created_at\` and at least ${lifeSecondsMin} seconds.`)
  }
  return Math.min(value * 1_000, retentionMs)
}

function contentOf({ content }: FormFile): AsyncIterable<Buffer> {
  return content.kind === 'disk' ? fromDisk(content.path) : once(content.bytes)
}

/** Opens the file once it is read. A rejected upload is never read, and would leave it open. */
async function* fromDisk(path: string): AsyncIterable<Buffer> {
  yield* createReadStream(path)
}

async function* once(bytes: Buffer): AsyncIterable<Buffer> {
  yield bytes
}

function missing(field: string, message: string): GatewayError {
  return new GatewayError('missingRequiredField', { message, inside: field })
}
