import { setTimeout } from 'node:timers/promises'
import type { EventCursors, EventSink } from '#ports/event-sinks.ts'
import { sendBatch, type SendNotices } from './send-batch.ts'

export interface SendEventsOptions extends SendNotices {
  readonly sinks: readonly EventSink[]
  readonly cursors: EventCursors
  readonly fromStart: boolean
  readonly everyMs: number
  readonly batchMax: number
  readonly onForgotten: (sinks: readonly string[]) => void
  readonly onError: (error: unknown) => void
}

/** Sends settled requests to every sink until stopped. Each has a loop of its own, so none waits for another. */
export function startEvents(options: SendEventsOptions): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const running = sendToAll(options, stopping.signal)
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

async function sendToAll(options: SendEventsOptions, signal: AbortSignal): Promise<void> {
  const { sinks, cursors, fromStart } = options
  const names = sinks.map(({ name }) => name)
  // Also without any sink: the row of one that was removed would keep its events from being deleted for ever.
  await repeat(options, signal, async () => {
    const forgotten = await cursors.keep(names, { fromStart })
    if (forgotten.length > 0) options.onForgotten(forgotten)
    return 'done'
  })
  await Promise.all(
    sinks.map((sink) =>
      repeat(options, signal, async () => {
        const isFull = await cursors.withTurn(sink.name, (turn) => sendBatch(sink, turn, options))
        return isFull === true ? 'again' : 'later'
      }),
    ),
  )
}

/** Until `step` is done or all is stopped. A step that fails is made again after the usual pause. */
async function repeat(
  { everyMs, onError }: SendEventsOptions,
  signal: AbortSignal,
  step: () => Promise<'done' | 'again' | 'later'>,
): Promise<void> {
  while (!signal.aborted) {
    const next = await step().catch((error: unknown) => {
      onError(error)
      return 'later' as const
    })
    if (next === 'done') return
    if (next === 'later') await setTimeout(everyMs, undefined, { signal }).catch(() => {})
  }
}
