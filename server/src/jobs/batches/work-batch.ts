import type { BatchError, LineAnswer, PricedLine } from '#domain/batches/batch.ts'
import type { Principal } from '#domain/access/principal.ts'
import { asGatewayError, GatewayError } from '#errors/gateway-error.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import { publicRequestId } from '#domain/ledger/request-id.ts'
import type { BatchQueue, ClaimedBatch } from '#ports/batches.ts'
import type { Files } from '#ports/files.ts'
import type { KeyLimitReads } from '#ports/keys.ts'
import { keepKey } from './keep-key.ts'
import type { LineEndpoint } from './line-arrival.ts'
import { workingKey } from './run-line.ts'
import { type RunLinesDeps, runLines } from './run-lines.ts'
import { failure, type ValidateDeps, validateBatch } from './validate-batch.ts'
import { writeResults } from './write-results.ts'

export interface WorkBatchDeps extends Omit<RunLinesDeps, 'queue'>, Omit<ValidateDeps, 'readTaken'> {
  readonly queue: BatchQueue
  readonly files: Pick<Files, 'open' | 'create'>
  readonly keys: KeyLimitReads
  /** The endpoints of lines. */
  readonly endpoints: readonly LineEndpoint[]
  /** How long a gateway works on a batch before others have their turn. */
  readonly turnMs: number
  readonly retentionMs: number
  /** For durations. */
  readonly elapsedMs: () => number
  /** Whether this process shuts down. */
  readonly isStopping: () => boolean
}

/** After a fault of ours or of a store. */
const retryAfterMs = 5_000

/** Moves a batch as far as its turn allows, then lets any gateway continue it. */
export async function workBatch(deps: WorkBatchDeps, batch: ClaimedBatch): Promise<void> {
  let dueInMs = retryAfterMs
  try {
    dueInMs = await advance(deps, batch)
  } finally {
    await deps.queue.release(batch, dueInMs)
  }
}

/** Returns when the batch is due again. It does not matter for a batch that has ended. */
async function advance(deps: WorkBatchDeps, batch: ClaimedBatch): Promise<number> {
  const { queue, nowMs } = deps
  // No line may be charged whose answer could not be stored.
  if (batch.dataKey === null) throw new Error(`no configured secret decrypts the results of batch ${batch.id}`)
  switch (batch.status) {
    case 'validating':
      if (!(await queue.abandon(batch, nowMs()))) await validate(deps, batch)
      return 0
    case 'in_progress': {
      const waitMs = await runAll(deps, batch)
      if (waitMs === null) await finish(deps, batch)
      // A batch that waits for a rate limit still ends when it is cancelled or expires.
      else if (waitMs > 0 && (await queue.finalize(batch, nowMs()))) await finish(deps, batch)
      return waitMs ?? 0
    }
    case 'finalizing':
      await finish(deps, batch)
      return 0
  }
}

async function validate(deps: WorkBatchDeps, batch: ClaimedBatch): Promise<void> {
  const { queue, keys, files, nowMs } = deps
  const file = await files.open(batch.inputFileId)
  if (file === null) return queue.fail(batch, [failure('file_not_found', 'The input file is gone.')], nowMs())
  const principal = keyOf(await keys.findPrincipal({ keyId: batch.keyId, account: null }), nowMs())
  if (principal instanceof GatewayError) return queue.fail(batch, [refused(principal)], nowMs())
  const endpoint = endpointOf(deps, batch)
  const promised = await queue.readPromised(batch)
  const validation = { ...deps, readTaken: keys.readTaken }
  const { lines, errors } = await validateBatch(validation, { batch, endpoint, file, principal, promised })
  const [first] = errors
  if (first === undefined) await queue.begin(batch, lines, nowMs(), null)
  // The Messages API has no failed batches: each request gets the error.
  else if (batch.api === 'messages' && lines.length > 0) await beginFailed(deps, batch, { lines, first, endpoint })
  else await queue.fail(batch, errors, nowMs())
}

function beginFailed(
  { queue, nowMs }: WorkBatchDeps,
  batch: ClaimedBatch,
  { lines, first, endpoint }: { lines: readonly PricedLine[]; first: BatchError; endpoint: LineEndpoint },
): Promise<void> {
  const error = new GatewayError('insufficientCredits', { message: first.message })
  const requestId = publicRequestId(batch.id)
  const body = endpoint.dialect.errorBody(error, requestId)
  const answer: LineAnswer = { status: error.row.status, requestId, body }
  return queue.begin(batch, lines, nowMs(), answer)
}

function keyOf(found: Principal | null, nowMs: number): Principal | GatewayError {
  try {
    return workingKey(found, nowMs)
  } catch (error) {
    return asGatewayError(error)
  }
}

function refused(error: GatewayError): BatchError {
  return failure(String(error.row.code), error.message)
}

async function runAll(deps: WorkBatchDeps, batch: ClaimedBatch): Promise<number | null> {
  const { queue, keys, files, turnMs, nowMs, elapsedMs } = deps
  const file = await files.open(batch.inputFileId)
  if (file === null) {
    // No line can start, so the batch ends when it expires.
    if (await queue.finalize(batch, nowMs())) return null
    throw new Error(`the input file of batch ${batch.id} can no longer be read`)
  }
  const overAtMs = elapsedMs() + turnMs
  return runLines(deps, {
    batch,
    endpoint: endpointOf(deps, batch),
    file,
    principal: keepKey(() => keys.findPrincipal({ keyId: batch.keyId, account: null }), elapsedMs),
    isOver: () => deps.isStopping() || elapsedMs() >= overAtMs,
  })
}

/** Writes the results and ends the batch. Nothing happens while a line runs. */
async function finish(deps: WorkBatchDeps, batch: ClaimedBatch): Promise<void> {
  const { queue, nowMs } = deps
  if (!(await queue.finalize(batch, nowMs()))) return
  if (failpointsArmed) await failpoint('batch-finalizing')
  const written = await writeResults(deps, batch)
  if (failpointsArmed) await failpoint('batch-results-written')
  await queue.end(batch, written, nowMs())
}

function endpointOf({ endpoints }: WorkBatchDeps, { endpoint }: ClaimedBatch): LineEndpoint {
  const found = endpoints.find(({ path }) => path === endpoint)
  if (found === undefined) throw new Error(`a batch is for ${endpoint}, which serves no batches`)
  return found
}
