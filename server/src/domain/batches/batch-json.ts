import { publicFileId } from '#domain/files/file-id.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Batch, BatchError, BatchStatus } from './batch.ts'
import { publicBatchId } from './batch-id.ts'

/** A batch as the OpenAI API shows it. */
export function batchJson(batch: Batch): JsonObject {
  const { id, endpoint, counts, errors, metadata, outputFileId, errorFileId } = batch
  const ended = (status: BatchStatus) => (batch.status === status ? secondsOf(batch.endedAtMs) : null)
  return {
    id: publicBatchId('openai', id),
    object: 'batch',
    endpoint,
    errors: errors === null ? null : { object: 'list', data: errors.map(errorJson) },
    input_file_id: publicFileId(batch.inputFileId),
    completion_window: '24h',
    status: shownStatus(batch),
    output_file_id: outputFileId === null ? null : publicFileId(outputFileId),
    error_file_id: errorFileId === null ? null : publicFileId(errorFileId),
    created_at: Math.floor(batch.createdAtMs / 1_000),
    in_progress_at: secondsOf(batch.inProgressAtMs),
    expires_at: Math.floor(batch.expiresAtMs / 1_000),
    finalizing_at: secondsOf(batch.finalizingAtMs),
    completed_at: ended('completed'),
    failed_at: ended('failed'),
    expired_at: ended('expired'),
    cancelling_at: secondsOf(batch.cancellingAtMs),
    cancelled_at: ended('cancelled'),
    request_counts: { total: counts.total, completed: counts.completed, failed: counts.failed },
    metadata,
  }
}

/** A cancelled batch keeps its state until its running lines have ended. */
function shownStatus({ status, cancellingAtMs, endedAtMs }: Batch): string {
  return cancellingAtMs !== null && endedAtMs === null ? 'cancelling' : status
}

function errorJson({ code, message, line, param }: BatchError): JsonObject {
  return { code, message, line, param }
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : Math.floor(ms / 1_000)
}
