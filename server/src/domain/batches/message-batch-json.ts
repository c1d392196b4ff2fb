import type { JsonObject } from '#lib/json.ts'
import { type Batch, isEnded } from './batch.ts'
import { publicBatchId } from './batch-id.ts'

/** A batch as the Messages API shows it. Its clients read `results_url` relative to their base URL. */
export function messageBatchJson(batch: Batch): JsonObject {
  const { counts, status, cancellingAtMs, endedAtMs } = batch
  const id = publicBatchId('messages', batch.id)
  const { total, completed: succeeded, failed: errored, cancelled: canceled, expired } = counts
  return {
    id,
    type: 'message_batch',
    processing_status: isEnded(status) ? 'ended' : cancellingAtMs === null ? 'in_progress' : 'canceling',
    request_counts: {
      processing: total - succeeded - errored - canceled - expired,
      succeeded,
      errored,
      canceled,
      expired,
    },
    created_at: isoOf(batch.createdAtMs),
    expires_at: isoOf(batch.expiresAtMs),
    ended_at: isoOf(endedAtMs),
    cancel_initiated_at: isoOf(cancellingAtMs),
    archived_at: null,
    results_url: batch.outputFileId === null ? null : `/v1/messages/batches/${id}/results`,
  }
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
