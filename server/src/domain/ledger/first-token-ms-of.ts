import { completionTokensOf } from '#domain/inference/usage.ts'
import type { GenerationRecord } from './generation-record.ts'

/** An answer that was not streamed has its first token with its last, when there is one at all. */
export function firstTokenMsOf(record: Pick<GenerationRecord, 'firstTokenMs' | 'durationMs' | 'usage'>): number | null {
  return record.firstTokenMs ?? (completionTokensOf(record.usage) > 0 ? record.durationMs : null)
}
