import type { Part } from '#jobs/part.ts'
import type { EventCursors, EventSink } from '#ports/event-sinks.ts'
import { sendBatch, type SendNotices } from './send-batch.ts'

export interface SendEventsDeps extends SendNotices {
  readonly sinks: readonly EventSink[]
  readonly cursors: EventCursors
  readonly fromStart: boolean
  readonly everyMs: number
  readonly batchMax: number
  readonly onForgotten: (sinks: readonly string[]) => void
}

/** Sends settled requests to every sink. Each is a part of its own, so none waits for another. */
export function eventParts(options: SendEventsDeps): Part[] {
  const { sinks, cursors, everyMs } = options
  const keep = keepOnce(options)
  // Also without any sink: the row of one that was removed would keep its events from being deleted for ever.
  const keeping: Part = { name: 'events', everyMs, run: keep }
  const sending = sinks.map(
    (sink): Part => ({
      name: `events-${sink.name}`,
      everyMs,
      run: async () => {
        await keep()
        return (await cursors.withTurn(sink.name, (turn) => sendBatch(sink, turn, options))) === true
      },
    }),
  )
  return [keeping, ...sending]
}

/** All wait for the one that is under way; after one that went well nothing is left to do. */
function keepOnce({ sinks, cursors, fromStart, onForgotten }: SendEventsDeps): () => Promise<void> {
  let kept: Promise<void> | null = null
  const keep = async (): Promise<void> => {
    const forgotten = await cursors.keep(
      sinks.map(({ name }) => name),
      { fromStart },
    )
    if (forgotten.length > 0) onForgotten(forgotten)
  }
  return () => {
    kept ??= keep().catch((error: unknown) => {
      kept = null
      throw error
    })
    return kept
  }
}
