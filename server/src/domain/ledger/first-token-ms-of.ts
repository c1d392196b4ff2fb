import { completionTokensOf } from '#domain/inference/usage.ts'
import type { GenerationRecord } from './generation-record.ts'

/**
 * The time of the first token of a response. If it was not streamed, its first token arrives together with its last.
 */
export function firstTokenMsOf(record: Pick<GenerationRecord, 'firstTokenMs' | 'durationMs' | 'usage'>): number | null {
  return record.firstTokenMs ?? (completionTokensOf(record.usage) > 0 ? record.durationMs : null)
}
