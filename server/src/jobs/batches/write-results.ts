import { resultLine } from '#domain/batches/result-lines.ts'
import { publicBatchId } from '#domain/batches/batch-id.ts'
import type { FilePurpose } from '#domain/files/stored-file.ts'
import { assert } from '#lib/assert.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { BatchFiles, BatchQueue, ClaimedBatch } from '#ports/batches.ts'
import type { Files } from '#ports/files.ts'

export interface WriteResultsDeps {
  readonly queue: Pick<BatchQueue, 'results'>
  readonly files: Pick<Files, 'create'>
  readonly retentionMs: number
  readonly nowMs: () => number
}

/**
 * Writes the results of a batch to new files. If the gateway dies before the batch shows them, another one writes them
 * again, and a worker deletes the first files.
 */
export async function writeResults(deps: WriteResultsDeps, batch: ClaimedBatch): Promise<BatchFiles> {
  const outputFileId = await writeFile(deps, batch, { isErrors: false })
  const errorFileId = batch.api === 'openai' ? await writeFile(deps, batch, { isErrors: true }) : null
  return { outputFileId, errorFileId }
}

/** Null if there is nothing to write. */
async function writeFile(
  { queue, files, retentionMs, nowMs }: WriteResultsDeps,
  batch: ClaimedBatch,
  { isErrors }: { isErrors: boolean },
): Promise<Uuid | null> {
  const publicId = publicBatchId(batch.api, batch.id)
  const lines = linesOf(queue, batch, isErrors)
  const first = await lines.next()
  if (first.done === true) return null
  const { walletId, ownerId, userId, api } = batch
  const now = nowMs()
  const id = newUuid(now)
  const purpose: FilePurpose = api === 'openai' ? 'batch_output' : 'message_batch_results'
  const created = await files.create(
    {
      id,
      walletId,
      ownerId,
      userId,
      purpose,
      name: `${publicId}_${isErrors ? 'error' : 'output'}.jsonl`,
      byteCount: null,
      createdAtMs: now,
      expiresAtMs: now + retentionMs,
      isExempt: true,
    },
    withFirst(first.value, lines),
  )
  assert(created !== 'full', 'paid results are always stored')
  return id
}

async function* linesOf(
  queue: WriteResultsDeps['queue'],
  batch: ClaimedBatch,
  isErrors: boolean,
): AsyncGenerator<Buffer, void, void> {
  const hex = batch.id.replaceAll('-', '')
  for await (const result of queue.results(batch)) {
    const { isError, text } = resultLine(batch.api, hex, result)
    if (isError === isErrors) yield Buffer.from(text)
  }
}

async function* withFirst(first: Buffer, rest: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  yield first
  yield* rest
}
