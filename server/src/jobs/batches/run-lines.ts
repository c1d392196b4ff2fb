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
  readonly ownUrl: string | null
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
 * Runs lines, a few at a time, until none is left, the turn is over, or a line has to wait. Returns how long to wait,
 * or null if no line is left.
 */
export async function runLines(deps: RunLinesDeps, lines: LinesToRun): Promise<number | null> {
  const turn: Turn = { underWay: new Set(), taking: Promise.resolve(), waitMs: null, isEmpty: false }
  const ends = await Promise.allSettled(Array.from({ length: deps.linesAtOnce }, () => runSlot(deps, lines, turn)))
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return turn.isEmpty && turn.waitMs === null ? null : (turn.waitMs ?? 0)
}

/** What the slots of one turn share. */
interface Turn {
  readonly underWay: Set<number>
  taking: Promise<unknown>
  waitMs: number | null
  isEmpty: boolean
}

/** Takes the next line as soon as one has ended, so that a slow line delays no other. */
async function runSlot(deps: RunLinesDeps, lines: LinesToRun, turn: Turn): Promise<void> {
  while (turn.waitMs === null && !turn.isEmpty) {
    // One after the other, so that two slots never take the same line.
    const next = turn.taking.then(() => takeNext(deps, lines, turn.underWay))
    turn.taking = next.catch(() => {})
    const taken = await next
    if (taken === null) {
      turn.isEmpty = true
      return
    }
    try {
      const afterMs = await runTakenLine(deps, lines, taken)
      if (afterMs !== null) turn.waitMs = Math.max(turn.waitMs ?? 0, afterMs)
    } finally {
      turn.underWay.delete(taken.line)
    }
    // Even the shortest turn runs a line.
    if (lines.isOver()) return
  }
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
  const request = { batch, line, endpoint, body: parsed.body, byteCount, ownUrl, nowMs: nowMs() }
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
