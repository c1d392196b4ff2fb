import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import type { EventSink, SendOutcome, SinkTurn } from '#ports/event-sinks.ts'
import { pauseAfter, pauseMaxMs } from './pause-after.ts'

export interface SendNotices {
  readonly onSent: (sink: string, count: number) => void
  readonly onRemark: (sink: string, remark: string) => void
  readonly onBusy: (sink: string, why: string, againInMs: number) => void
  /** Nothing more leaves for this sink until an operator looks into it. */
  readonly onRefused: (sink: string, why: string, againInMs: number) => void
}

const errorLengthMax = 500

/**
 * Sends what comes next and then moves the cursor: if the worker dies in between, it is sent again, and nothing is ever passed
 * over. Answers whether there may be more at once.
 */
export async function sendBatch(
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
