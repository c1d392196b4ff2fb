import type { Part } from '#jobs/part.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import type { EventCursors, EventSink, SendOutcome, SinkTurn } from '#ports/event-sinks.ts'

export interface SendEventsDeps extends SendNotices {
  readonly sinks: readonly EventSink[]
  readonly cursors: EventCursors
  readonly fromStart: boolean
  readonly everyMs: number
  readonly batchMax: number
  readonly onForgotten: (sinks: readonly string[]) => void
}

/** Sends settled requests to every sink. Each sink is a separate part, so none waits for another. */
export function eventParts(options: SendEventsDeps): Part[] {
  const { sinks, cursors, everyMs } = options
  const keep = keepOnce(options)
  // Also runs without any sink: the row of a removed sink would keep its events from being deleted forever.
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

/** Concurrent calls wait for the running one; after a success nothing is left to do. */
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

interface SendNotices {
  readonly onSent: (sink: string, count: number) => void
  readonly onRemark: (sink: string, remark: string) => void
  readonly onBusy: (sink: string, why: string, againInMs: number) => void
  /** Nothing more is sent to this sink until an operator fixes it. */
  readonly onRefused: (sink: string, why: string, againInMs: number) => void
}

const errorLengthMax = 500

/**
 * Sends the next batch and then moves the cursor: if the worker dies in between, the batch is sent again, and nothing
 * is skipped. Returns whether there may be more.
 */
async function sendBatch(
  sink: EventSink,
  turn: SinkTurn,
  options: SendNotices & { batchMax: number },
): Promise<boolean> {
  const batch = await turn.read(options.batchMax)
  const count = batch.events.length
  const outcome: SendOutcome = count === 0 ? { kind: 'taken' } : await sink.send(batch.events).catch(outcomeOfError)
  if (failpointsArmed && count > 0) await failpoint('after-events')
  if (outcome.kind !== 'taken') {
    const why = outcome.why.slice(0, errorLengthMax)
    const isBusy = outcome.kind === 'busy'
    const againInMs = isBusy ? pauseAfter(turn.failingForMs, outcome.afterMs) : pauseMaxMs
    await turn.fail(why, againInMs)
    const notice = isBusy ? options.onBusy : options.onRefused
    notice(sink.name, why, againInMs)
    return false
  }
  if (outcome.remark !== undefined) options.onRemark(sink.name, outcome.remark)
  await turn.move(batch)
  if (count > 0) options.onSent(sink.name, count)
  return batch.isFull
}

function outcomeOfError(error: unknown): SendOutcome {
  return { kind: 'busy', why: error instanceof Error ? error.message : String(error) }
}

const pauseMinMs = 5_000
const pauseMaxMs = 300_000
const wishMaxMs = 3_600_000

/** The pause is as long as the sink has already failed, so that each pause is about twice the last one. */
export function pauseAfter(failingForMs: number, wishedMs = 0): number {
  const pause = Math.min(pauseMaxMs, Math.max(pauseMinMs, failingForMs))
  return Math.max(pause, Math.min(wishedMs, wishMaxMs))
}
