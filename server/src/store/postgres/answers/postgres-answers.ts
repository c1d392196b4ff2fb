import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { answerBlobKey, answerLifeMs } from '#domain/media/answer-keys.ts'
import type { JsonObject } from '#lib/json.ts'
import { openBytes, parseSealed, seal, sealBytes, type SealingKey, unseal } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import { WholeBody } from '#lib/whole-body.ts'
import type { AnswerClaim, AnswerProgress, Answers, ClaimedAnswer, WritableAnswer } from '#ports/answers.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import { refuseWhenAway, storeAway } from '../faults.ts'
import {
  claimAnswer,
  concludeAnswer,
  concludeJobAnswer,
  findAnswer,
  forgetAnswer,
  noteAnswer,
  renewAnswers,
  takeOverAnswer,
} from './answers.sql.ts'

interface AnswersOptions {
  readonly pool: Pool
  readonly blobs: Pick<BlobStore, 'put' | 'open'>
  readonly sealingKey: SealingKey
  /** After this time without a renewal, the gateway that writes an answer counts as dead. */
  readonly leaseMs: number
}

/** Rows in Postgres, and the bytes in the blob store. The key that decrypts the bytes is only in the row. */
export function createAnswers(options: AnswersOptions): Answers {
  const { pool, blobs, leaseMs } = options
  return {
    claim: (request) => refuseWhenAway(claim(options, request)),
    takeOver: (from, request) => refuseWhenAway(takeOver(options, from, request)),
    concludeJob: (id) => refuseWhenAway(concludeJobAnswer(pool, id)),
    find: (id) => refuseWhenAway(find(options, id)),
    put: async ({ id, dataKey }, position, plain) => {
      const bytes = sealBytes(dataKey, plain, chunkName(id, position))
      const content = { bytes, byteCount: bytes.length, contentType: 'application/octet-stream' }
      await blobs.put(answerBlobKey(id, position), content)
    },
    read: async ({ id, dataKey }, position) => {
      const found = dataKey === null ? null : await blobs.open(answerBlobKey(id, position))
      if (found === null || dataKey === null) return null
      const sealed = new WholeBody(found.byteCount)
      for await (const piece of found.bytes) sealed.add(piece)
      return openBytes(dataKey, sealed.take(), chunkName(id, position))
    },
    note: (id, progress) => noteAnswer(pool, id, progress),
    renew: (ids) => renewAnswers(pool, ids, leaseMs),
    forget: (id) => forgetAnswer(pool, id),
  }
}

const claimTriesMax = 5

async function claim({ pool, sealingKey, leaseMs }: AnswersOptions, request: AnswerClaim): Promise<ClaimedAnswer> {
  const answer = newAnswer(request.id)
  const terms = { sealedKey: sealKey(sealingKey, answer), leaseMs, keptMs: answerLifeMs }
  for (let attempt = 1; attempt <= claimTriesMax; attempt += 1) {
    const row = await claimAnswer(pool, request, terms)
    if (row !== null && row.is_new) return { kind: 'new', answer }
    if (row !== null) return { kind: 'known', id: row.id, isSameRequest: row.is_same }
  }
  throw storeAway(new Error('an idempotency key was claimed and released at each try'))
}

async function find({ pool, sealingKey }: AnswersOptions, id: Uuid): Promise<AnswerProgress | null> {
  const row = await findAnswer(pool, id)
  if (row === null) return null
  const { state, is_kept: isKept, chunks, is_abandoned: isAbandoned } = row
  return { id, state, isKept, chunks, isAbandoned, dataKey: openKey(sealingKey, row.sealed_key, id) }
}

async function takeOver(
  { pool, sealingKey, leaseMs }: AnswersOptions,
  from: Uuid,
  { id }: AnswerClaim,
): Promise<WritableAnswer | null> {
  const answer = newAnswer(id)
  if (await takeOverAnswer(pool, from, { id, sealedKey: sealKey(sealingKey, answer), leaseMs })) return answer
  await concludeAnswer(pool, from)
  return null
}

function newAnswer(id: Uuid): WritableAnswer {
  return { id, dataKey: randomBytes(32) }
}

function sealKey(sealingKey: SealingKey, { id, dataKey }: WritableAnswer): object {
  return seal(sealingKey, dataKey.toString('base64'), keyName(id))
}

/** An answer whose secret was removed cannot be decrypted any more. */
function openKey(sealingKey: SealingKey, stored: JsonObject, id: Uuid): Buffer | null {
  try {
    return Buffer.from(unseal(sealingKey, parseSealed(stored), keyName(id)), 'base64')
  } catch {
    return null
  }
}

const keyName = (id: Uuid): string => `answer ${id}`
const chunkName = (id: Uuid, position: number): string => `answer ${id} ${position}`
