import type { Principal } from '#domain/access/principal.ts'
import type { LineAnswer } from '#domain/batches/batch.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import { assert } from '#lib/assert.ts'
import type { Stages } from '#pipeline/run.ts'
import type { BatchQueue, ClaimedBatch, TakenLine } from '#ports/batches.ts'
import type { OpenFile } from '#ports/files.ts'
import type { LineEndpoint } from './line-arrival.ts'
import { isProblem, parseLine } from './parse-line.ts'
import { runLine } from './run-line.ts'

export interface RunLinesDeps {
  readonly queue: Pick<BatchQueue, 'take' | 'putBack' | 'answer'>
  readonly stages: Stages
  readonly linesAtOnce: number
  readonly lineBytesMax: number
  readonly ownUrl: string
  readonly nowMs: () => number
}

export interface LinesToRun {
  readonly batch: ClaimedBatch
  readonly endpoint: LineEndpoint
  readonly file: OpenFile
  /** The key of the batch, read again from time to time. Null once it no longer works. */
  readonly principal: () => Promise<Principal | null>
  /** Whether the turn of this batch is over. */
  readonly isOver: () => boolean
}

/**
 * Runs lines, a few at a time, until none is left, or the turn is over, or a line has to wait. Returns how long to wait,
 * or null if no line is left.
 */
export async function runLines(deps: RunLinesDeps, lines: LinesToRun): Promise<number | null> {
  const underWay = new Set<number>()
  let waitMs: number | null = null
  let isEmpty = false
  const runTaken = async (taken: TakenLine): Promise<void> => {
    try {
      const afterMs = await runTakenLine(deps, lines, taken)
      if (afterMs !== null) waitMs = Math.max(waitMs ?? 0, afterMs)
    } finally {
      underWay.delete(taken.line)
    }
  }
  /** Takes the next line as soon as one has ended, so that a slow line delays no other. */
  let taking: Promise<unknown> = Promise.resolve()
  const runSlot = async (): Promise<void> => {
    while (waitMs === null && !isEmpty) {
      // One after the other, so that two slots never take the same line.
      const next = taking.then(() => takeNext(deps, lines, underWay))
      taking = next.catch(() => {})
      const taken = await next
      if (taken === null) isEmpty = true
      else await runTaken(taken)
      // Even the shortest turn runs a line.
      if (lines.isOver()) return
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: deps.linesAtOnce }, runSlot))
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return isEmpty && waitMs === null ? null : (waitMs ?? 0)
}

async function takeNext(
  { queue, nowMs }: RunLinesDeps,
  { batch }: LinesToRun,
  underWay: Set<number>,
): Promise<TakenLine | null> {
  const [taken] = await queue.take(batch, { atMost: 1, underWay: [...underWay], nowMs: nowMs() })
  if (taken === undefined) return null
  underWay.add(taken.line)
  return taken
}

async function runTakenLine(deps: RunLinesDeps, lines: LinesToRun, taken: TakenLine): Promise<number | null> {
  const { queue, stages, lineBytesMax: bytesMax, ownUrl, nowMs } = deps
  const { batch, endpoint, file } = lines
  const { line, firstByte, byteCount, isAgain, isLost } = taken
  if (failpointsArmed) await failpoint('batch-line-taken')
  if (isLost) {
    await queue.answer(batch, line, lostAnswer(endpoint))
    return null
  }
  const parsed = parseLine(await file.read(firstByte, byteCount), { endpoint: endpoint.path, bytesMax })
  assert(!isProblem(parsed), 'a line that was validated is valid')
  const request = { batchId: batch.id, line, endpoint, body: parsed.body, byteCount, ownUrl, nowMs: nowMs() }
  const end = await runLine(stages, request, await lines.principal())
  if (end.kind === 'later') {
    // A line that a dead gateway may have charged is never cancelled.
    if (!isAgain) await queue.putBack(batch, line)
    return end.afterMs
  }
  if (failpointsArmed) await failpoint('batch-line-run')
  await queue.answer(batch, line, end.answer)
  if (failpointsArmed) await failpoint('batch-line-answered')
  return null
}

/** The line ran before, a day ago. Running it again could charge it twice. */
function lostAnswer({ dialect }: LineEndpoint): LineAnswer {
  const error = new GatewayError('answerNotStored', {
    message: 'The gateway stopped while it ran this line, and its answer expired. It was charged at most once.',
  })
  return { status: error.row.status, requestId: '', body: dialect.errorBody(error, '') }
}
