import { completionTokensOf } from '#domain/inference/usage.ts'
import type { GenerationRecord } from './generation-record.ts'

/** The first token time of a response. If it was not streamed, its first token comes with its last, if it has any. */
export function firstTokenMsOf(record: Pick<GenerationRecord, 'firstTokenMs' | 'durationMs' | 'usage'>): number | null {
  return record.firstTokenMs ?? (completionTokensOf(record.usage) > 0 ? record.durationMs : null)
}
