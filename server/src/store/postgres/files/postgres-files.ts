import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { fileBlobKey, fileChunkBytes } from '#domain/files/stored-file.ts'
import { assert } from '#lib/assert.ts'
import { openBytes, parseSealed, seal, sealBytes, type SealingKey, unseal } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import { WholeBody } from '#lib/whole-body.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import type { Files, NewFile, OpenFile } from '#ports/files.ts'
import { refuseWhenAway } from '../faults.ts'
import {
  completeFile,
  findFile,
  findFileKey,
  forgetFiles,
  insertFile,
  listFiles,
  removeFile,
  type WalletFilesMax,
} from './files.sql.ts'

interface FilesOptions {
  readonly pool: Pool
  readonly blobs: Pick<BlobStore, 'put' | 'open' | 'remove'>
  readonly sealingKey: SealingKey
  readonly max: WalletFilesMax
}

/** Rows in Postgres, and the bytes in the blob store. The key that decrypts the bytes is only in the row. */
export function createFiles(options: FilesOptions): Files {
  const { pool } = options
  return {
    create: (file, content) => refuseWhenAway(create(options, file, content)),
    find: (owner, id, nowMs) => refuseWhenAway(findFile(pool, owner, id, nowMs)),
    list: (owner, query) => refuseWhenAway(listFiles(pool, owner, query)),
    remove: (owner, id, nowMs) => refuseWhenAway(removeFile(pool, owner, id, nowMs)),
    open: (id) => refuseWhenAway(open(options, id)),
  }
}

/** The row comes first, so that the blobs of a gateway that dies are found and deleted. */
async function create(
  { pool, blobs, sealingKey, max }: FilesOptions,
  file: NewFile,
  content: AsyncIterable<Buffer>,
): ReturnType<Files['create']> {
  const { id } = file
  const dataKey = randomBytes(32)
  const sealedKey = seal(sealingKey, dataKey.toString('base64'), fileKeyName(id))
  if (!(await insertFile(pool, file, sealedKey, max))) return 'full'
  let byteCount = 0
  let position = 0
  try {
    for await (const plain of cutChunks(content)) {
      const bytes = sealBytes(dataKey, plain, chunkName(id, position))
      const blob = { bytes, byteCount: bytes.length, contentType: 'application/octet-stream' }
      await blobs.put(fileBlobKey(id, position), blob)
      byteCount += plain.length
      position += 1
    }
    const created = await completeFile(pool, id, byteCount)
    assert(created !== null, 'a file that is being written has a row')
    return created
  } catch (error) {
    for (let written = 0; written <= position; written += 1)
      await blobs.remove(fileBlobKey(id, written)).catch(() => {})
    await forgetFiles(pool, [id]).catch(() => {})
    throw error
  }
}

async function* cutChunks(content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let pending: Buffer[] = []
  let pendingBytes = 0
  for await (const piece of content) {
    pending.push(piece)
    pendingBytes += piece.length
    if (pendingBytes < fileChunkBytes) continue
    let whole = Buffer.concat(pending)
    for (; whole.length >= fileChunkBytes; whole = whole.subarray(fileChunkBytes)) {
      yield whole.subarray(0, fileChunkBytes)
    }
    pending = [whole]
    pendingBytes = whole.length
  }
  if (pendingBytes > 0) yield Buffer.concat(pending)
}

async function open({ pool, blobs, sealingKey }: FilesOptions, id: Uuid): Promise<OpenFile | null> {
  const row = await findFileKey(pool, id)
  const dataKey = row === null ? null : openKey(sealingKey, row.sealed_key, id)
  if (row === null || dataKey === null) return null
  const byteCount = Number(row.byte_count)
  const readChunk = async (position: number): Promise<Buffer> => {
    const blob = await blobs.open(fileBlobKey(id, position))
    if (blob === null) throw new Error(`chunk ${position} of file ${id} is missing`)
    const sealed = new WholeBody(blob.byteCount)
    for await (const piece of blob.bytes) sealed.add(piece)
    return openBytes(dataKey, sealed.take(), chunkName(id, position))
  }
  return openFile(byteCount, readChunk)
}

// A range can begin in one chunk and end in the next, and lines run a few at a time.
const keptChunks = 3

function openFile(byteCount: number, readChunk: (position: number) => Promise<Buffer>): OpenFile {
  const kept = new Map<number, Promise<Buffer>>()
  const chunkAt = (position: number): Promise<Buffer> => {
    const known = kept.get(position)
    if (known !== undefined) return known
    const reading = readChunk(position)
    reading.catch(() => kept.delete(position))
    kept.set(position, reading)
    for (const [oldest] of kept) if (kept.size > keptChunks) kept.delete(oldest)
    return reading
  }
  return {
    byteCount,
    read: async (first, count) => {
      const pieces: Buffer[] = []
      for (let at = first; at < first + count; ) {
        const chunk = await chunkAt(Math.floor(at / fileChunkBytes))
        const piece = chunk.subarray(at % fileChunkBytes, (at % fileChunkBytes) + first + count - at)
        assert(piece.length > 0, 'a range is within its file')
        pieces.push(piece)
        at += piece.length
      }
      return Buffer.concat(pieces)
    },
    async *chunks() {
      for (let position = 0; position * fileChunkBytes < byteCount; position += 1) yield await readChunk(position)
    },
  }
}

/** A file whose secret was removed cannot be decrypted any more. */
function openKey(sealingKey: SealingKey, stored: unknown, id: Uuid): Buffer | null {
  try {
    return Buffer.from(unseal(sealingKey, parseSealed(stored), fileKeyName(id)), 'base64')
  } catch {
    return null
  }
}

export const fileKeyName = (id: Uuid): string => `file ${id}`
const chunkName = (id: Uuid, position: number): string => `file ${id} ${position}`
