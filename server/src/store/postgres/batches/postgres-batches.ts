import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import type { LineAnswer, LineResult } from '#domain/batches/batch.ts'
import { packAnswer, unpackAnswer } from '#domain/batches/line-answer.ts'
import { answerLifeMs } from '#domain/media/answer-keys.ts'
import { openBytes, parseSealed, seal, sealBytes, type SealingKey, unseal } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Batches, BatchQueue, ClaimedBatch } from '#ports/batches.ts'
import { refuseWhenAway } from '../faults.ts'
import {
  abandonBatch,
  beginBatch,
  claimBatches,
  type ClaimRow,
  endBatch,
  failBatch,
  finalizeBatch,
  readPromised,
  releaseBatch,
  renewBatches,
} from './batch-claims.sql.ts'
import { answerLine, putBackLine, readResults, takeLines } from './batch-lines.sql.ts'
import { cancelBatch, findBatch, insertBatch, listBatches, removeBatch } from './batches.sql.ts'

export function createBatches(pool: Pool, sealingKey: SealingKey): Batches {
  return {
    create: (batch) => {
      const dataKey = randomBytes(32).toString('base64')
      return refuseWhenAway(insertBatch(pool, batch, seal(sealingKey, dataKey, batchKeyName(batch.id))))
    },
    find: (owner, which) => refuseWhenAway(findBatch(pool, owner, which)),
    list: (owner, query) => refuseWhenAway(listBatches(pool, owner, query)),
    cancel: (owner, which, nowMs) => refuseWhenAway(cancelBatch(pool, owner, which, nowMs)),
    remove: (owner, which) => refuseWhenAway(removeBatch(pool, owner, which)),
  }
}

interface QueueOptions {
  readonly pool: Pool
  readonly sealingKey: SealingKey
  /** After this time without a renewal, the gateway that runs a batch counts as dead. */
  readonly leaseMs: number
}

// A line that is taken again must find its stored answer, so it counts as lost before that answer can expire.
const marginMs = 3_600_000

export function createBatchQueue({ pool, sealingKey, leaseMs }: QueueOptions): BatchQueue {
  return {
    claim: async (atMost) => {
      const rows = await claimBatches(pool, atMost, leaseMs)
      return rows.map((row) => claimedOf(row, sealingKey))
    },
    renew: (claims) => renewBatches(pool, claims, leaseMs),
    release: (claim, dueInMs) => releaseBatch(pool, claim, dueInMs),
    readPromised: (claim) => readPromised(pool, claim),
    abandon: (claim, nowMs) => abandonBatch(pool, claim, nowMs),
    fail: (claim, errors, nowMs) => failBatch(pool, claim, errors, nowMs),
    begin: (claim, lines, nowMs, answer) => {
      const sealAnswer = answer === null ? null : (line: number): Buffer => sealResult(claim, line, answer)
      return beginBatch(pool, claim, lines, { nowMs, sealAnswer })
    },
    take: (claim, query) => takeLines(pool, claim, query, answerLifeMs - marginMs),
    putBack: (claim, line) => putBackLine(pool, claim, line),
    answer: (claim, line, answer) => {
      const outcome = answer.status < 300 ? 'succeeded' : 'errored'
      return answerLine(pool, claim, { line, outcome, result: sealResult(claim, line, answer) })
    },
    finalize: (claim, nowMs) => finalizeBatch(pool, claim, nowMs),
    results: (claim) => resultsOf(pool, claim),
    end: (claim, files, nowMs) => endBatch(pool, claim, files, nowMs),
  }
}

// Answers have a few kilobytes, and embeddings a few megabytes.
const resultsAtOnce = 20

async function* resultsOf(pool: Pool, claim: ClaimedBatch): AsyncIterable<LineResult> {
  for (let after = 0; ; ) {
    const rows = await readResults(pool, claim, { after, atMost: resultsAtOnce })
    for (const { line, custom_id: customId, outcome, result } of rows) {
      yield { line, customId, outcome, answer: result === null ? null : openResult(claim, line, result) }
    }
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.line
  }
}

function claimedOf(row: ClaimRow, sealingKey: SealingKey): ClaimedBatch {
  return {
    id: row.id,
    network: row.client_network,
    walletId: row.wallet_id,
    ownerId: row.owner_id,
    userId: row.user_id,
    keyId: row.key_id,
    api: row.api,
    endpoint: row.endpoint,
    inputFileId: row.input_file_id,
    status: row.status,
    expiresAtMs: row.expires_at.getTime(),
    claim: Number(row.claim),
    dataKey: openKey(sealingKey, row),
  }
}

function openKey(sealingKey: SealingKey, { id, sealed_key: stored }: ClaimRow): Buffer | null {
  try {
    return Buffer.from(unseal(sealingKey, parseSealed(stored), batchKeyName(id)), 'base64')
  } catch {
    return null
  }
}

function sealResult({ id, dataKey }: ClaimedBatch, line: number, answer: LineAnswer): Buffer {
  return sealBytes(readable(dataKey, id), packAnswer(answer), resultName(id, line))
}

function openResult({ id, dataKey }: ClaimedBatch, line: number, result: Buffer): LineAnswer {
  return unpackAnswer(openBytes(readable(dataKey, id), result, resultName(id, line)))
}

function readable(dataKey: Buffer | null, id: Uuid): Buffer {
  if (dataKey === null) throw new Error(`no configured secret decrypts the results of batch ${id}`)
  return dataKey
}

export const batchKeyName = (id: Uuid): string => `batch ${id}`
const resultName = (id: Uuid, line: number): string => `batch ${id} ${line}`
