import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { type ResponsePart, storedResponseBlobKey } from '#domain/responses/stored-response-blobs.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import type { JsonObject } from '#lib/json.ts'
import { openBytes, parseSealed, seal, sealBytes, type SealingKey, unseal } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import { WholeBody } from '#lib/whole-body.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import type {
  FoundResponse,
  NewResponse,
  ResponseOwner,
  RunningResponse,
  StoredResponses,
} from '#ports/stored-responses.ts'
import { refuseWhenAway } from '../faults.ts'
import {
  cancelResponse,
  deleteResponse,
  findResponse,
  finishResponse,
  insertResponse,
  renewResponses,
  responseKeyName,
  trimResponses,
} from './stored-responses.sql.ts'

interface StoredResponsesOptions {
  readonly pool: Pool
  readonly blobs: Pick<BlobStore, 'put' | 'open' | 'remove'>
  readonly sealingKey: SealingKey
  readonly keptMs: number
  /** Bytes that all responses of a wallet may have. */
  readonly walletBytesMax: number
  /** After this time without a renewal, the gateway that works on a response counts as dead. */
  readonly leaseMs: number
}

// A row and its blobs take space besides the bytes, so that many short responses count too.
const overheadBytes = 4_096

/** Null if no responses are stored. */
export function chooseStoredResponses(options: StoredResponsesOptions): StoredResponses | null {
  return options.keptMs === 0 ? null : createStoredResponses(options)
}

/** Rows in Postgres, and the content in the blob store. The key that decrypts the content is only in the row. */
function createStoredResponses(options: StoredResponsesOptions): StoredResponses {
  const { pool, leaseMs } = options
  return {
    keep: async (response) => (await store(options, response, null)) !== null,
    begin: (response) => refuseWhenAway(store(options, response, leaseMs)),
    write: async (running, response) => {
      await put(options, running, 'response', response)
    },
    finish: async (running, response) => {
      const bytes = await put(options, running, 'response', response)
      if (failpointsArmed) await failpoint('before-response-end')
      return finishResponse(pool, running.id, bytes)
    },
    renew: (ids) => renewResponses(pool, ids, leaseMs),
    find: (owner, id) => refuseWhenAway(find(options, owner, id)),
    read: (found, part) => read(options, found, part),
    cancel: (owner, id) => refuseWhenAway(cancelResponse(pool, owner, id)),
    remove: async (owner, id) => {
      const isDeleted = await refuseWhenAway(deleteResponse(pool, owner, id))
      if (isDeleted) await removeBlobs(options, [id])
      return isDeleted
    },
  }
}

/** First the blobs, then the row, so that a reader never finds a row without its content. */
async function store(
  options: StoredResponsesOptions,
  { id, owner, input, response }: NewResponse,
  leaseMs: number | null,
): Promise<RunningResponse | null> {
  const { pool, sealingKey, keptMs, walletBytesMax } = options
  const running = { id, owner, dataKey: randomBytes(32) }
  const sizes = await Promise.all([put(options, running, 'input', input), put(options, running, 'response', response)])
  if (failpointsArmed) await failpoint('mid-response-store')
  const bytes = overheadBytes + sizes[0] + sizes[1]
  const sealedKey = seal(sealingKey, running.dataKey.toString('base64'), responseKeyName(id))
  const isStored = await insertResponse(pool, owner, { id, bytes, sealedKey, keptMs, leaseMs })
  await removeBlobs(options, isStored ? await trimResponses(pool, owner.walletId, walletBytesMax) : [id])
  return isStored ? running : null
}

async function put(
  { blobs }: StoredResponsesOptions,
  { id, owner, dataKey }: RunningResponse,
  part: ResponsePart,
  text: string,
): Promise<number> {
  const bytes = sealBytes(dataKey, Buffer.from(text), partName(owner, id, part))
  const content = { bytes, byteCount: bytes.length, contentType: 'application/octet-stream' }
  await blobs.put(storedResponseBlobKey(id, part), content)
  return bytes.length
}

async function find(
  { pool, sealingKey }: StoredResponsesOptions,
  owner: ResponseOwner,
  id: Uuid,
): Promise<FoundResponse | null> {
  const row = await findResponse(pool, owner, id)
  if (row === null) return null
  return { id, owner, state: row.state, dataKey: openKey(sealingKey, row.sealed_key, id) }
}

async function read(
  { blobs }: StoredResponsesOptions,
  { id, owner, dataKey }: FoundResponse,
  part: ResponsePart,
): Promise<Buffer | null> {
  const found = dataKey === null ? null : await blobs.open(storedResponseBlobKey(id, part))
  if (found === null || dataKey === null) return null
  const sealed = new WholeBody(found.byteCount)
  for await (const piece of found.bytes) sealed.add(piece)
  try {
    return openBytes(dataKey, sealed.take(), partName(owner, id, part))
  } catch {
    return null
  }
}

async function removeBlobs({ blobs }: StoredResponsesOptions, ids: readonly Uuid[]): Promise<void> {
  for (const id of ids) {
    await blobs.remove(storedResponseBlobKey(id, 'input'))
    await blobs.remove(storedResponseBlobKey(id, 'response'))
  }
}

/** A response whose secret was removed cannot be decrypted any more. */
function openKey(sealingKey: SealingKey, stored: JsonObject, id: Uuid): Buffer | null {
  try {
    return Buffer.from(unseal(sealingKey, parseSealed(stored), responseKeyName(id)), 'base64')
  } catch {
    return null
  }
}

// The owner is part of the name, so a response cannot be decrypted as another wallet's or person's.
const partName = ({ walletId, personId }: ResponseOwner, id: Uuid, part: ResponsePart): string =>
  `stored response ${walletId} ${personId ?? ''} ${id} ${part}`
