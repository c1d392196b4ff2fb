import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { cachedAnswerBlobKey } from '#domain/cache/cached-answer-keys.ts'
import type { JsonObject } from '#lib/json.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import { openBytes, parseSealed, seal, sealBytes, type SealingKey, unseal } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import { WholeBody } from '#lib/whole-body.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import type { CachedAnswers, CacheEntry, CacheKey, CacheSlot, FilledAnswer } from '#ports/cached-answers.ts'
import { claimCached, fillCached, findCached, forgetCached, renewCached, trimCached } from './cached-answers.sql.ts'

interface CachedAnswersOptions {
  readonly pool: Pool
  readonly blobs: Pick<BlobStore, 'put' | 'open' | 'remove'>
  readonly sealingKey: SealingKey
  /** After this time without a renewal, the gateway that fetches an answer counts as dead. */
  readonly leaseMs: number
}

// A row and its blob take space besides the bytes, so that many short answers count too.
const overheadBytes = 4_096

// Time for which requests whose answer cannot be cached go to the upstream at once.
const unfitMs = 60_000

/** Rows in Postgres, and the bytes in the blob store. The key that decrypts the bytes is only in the row. */
export function createCachedAnswers(options: CachedAnswersOptions): CachedAnswers {
  const { pool, blobs, sealingKey, leaseMs } = options
  return {
    find: async (key, maxAgeMs) => {
      const row = await findCached(pool, key, maxAgeMs)
      if (row === null) return null
      const { id, state, sealed_key: sealedKey, age_ms: ageMs, left_ms: leftMs } = row
      const dataKey = state === 'complete' ? openKey(sealingKey, sealedKey, { key, id }) : null
      return { key, id, state, dataKey, ageMs, leftMs }
    },
    claim: async (key, claim) => {
      const slot: CacheSlot = { key, id: claim.id, dataKey: randomBytes(32) }
      const sealedKey = seal(sealingKey, slot.dataKey.toString('base64'), nameOf(slot))
      return (await claimCached(pool, key, { ...claim, sealedKey, leaseMs })) ? slot : null
    },
    read: async (entry) => {
      if (entry.dataKey === null) return null
      const sealed = await readSealed(blobs, entry.id)
      return sealed === null ? null : open(entry, entry.dataKey, sealed)
    },
    fill: (slot, answer) => fill(options, slot, answer),
    refuse: async (slot) => {
      await fillCached(pool, slot, { state: 'unfit', bytes: 0, ttlMs: unfitMs })
    },
    forget: (slot) => forgetCached(pool, slot),
    renew: (ids) => renewCached(pool, ids, leaseMs),
  }
}

async function readSealed(blobs: Pick<BlobStore, 'open'>, id: Uuid): Promise<Buffer | null> {
  const found = await blobs.open(cachedAnswerBlobKey(id))
  if (found === null) return null
  const sealed = new WholeBody(found.byteCount)
  for await (const piece of found.bytes) sealed.add(piece)
  return sealed.take()
}

function open(entry: CacheEntry, dataKey: Buffer, sealed: Buffer): Buffer | null {
  try {
    return openBytes(dataKey, sealed, nameOf(entry))
  } catch {
    return null
  }
}

/** First the blob, then the row, so that a reader never finds a row without its bytes. */
async function fill(
  { pool, blobs }: CachedAnswersOptions,
  slot: CacheSlot,
  { bytes, ttlMs, walletBytesMax }: FilledAnswer,
): Promise<void> {
  const sealed = sealBytes(slot.dataKey, bytes, nameOf(slot))
  const content = { bytes: sealed, byteCount: sealed.length, contentType: 'application/octet-stream' }
  if (failpointsArmed) await failpoint('before-cache-fill')
  await blobs.put(cachedAnswerBlobKey(slot.id), content)
  if (failpointsArmed) await failpoint('mid-cache-fill')
  const filled = { state: 'complete', bytes: sealed.length + overheadBytes, ttlMs } as const
  const dropped = (await fillCached(pool, slot, filled))
    ? await trimCached(pool, slot.key.walletId, walletBytesMax)
    : [slot.id]
  if (failpointsArmed) await failpoint('after-cache-fill')
  for (const id of dropped) await blobs.remove(cachedAnswerBlobKey(id))
}

/** An answer whose secret was removed cannot be decrypted any more. */
function openKey(sealingKey: SealingKey, stored: JsonObject, entry: { key: CacheKey; id: Uuid }): Buffer | null {
  try {
    return Buffer.from(unseal(sealingKey, parseSealed(stored), nameOf(entry)), 'base64')
  } catch {
    return null
  }
}

// The wallet is part of the name, so an answer cannot be decrypted as another wallet's.
const nameOf = ({ key, id }: { key: CacheKey; id: Uuid }): string => `cached answer ${key.walletId} ${id}`
