import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import type { Judged, Ticket } from '../../types.ts'
import { recordOf } from './record.ts'
import { type AttemptSample, sampleOf } from './sample-of.ts'

export type NoteSample = (sample: AttemptSample) => void

/** Makes the record of a request that ends now, and notes how its host did. */
export function createRecord({
  note,
  nowMs,
}: {
  readonly note: NoteSample
  readonly nowMs: () => number
}): (ticket: Ticket, judged: Judged) => GenerationRecord {
  return (ticket, judged) => {
    const settledAtMs = nowMs()
    const sample = sampleOf(ticket, judged, settledAtMs)
    if (sample !== null) note(sample)
    return recordOf(ticket, judged, settledAtMs)
  }
}
