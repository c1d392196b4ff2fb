import { parseAnyRequestId } from '#domain/ledger/request-id.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type Uuid, uuidTimeMs } from '#lib/uuid.ts'
import type { GenerationArchive } from '#ports/account-reads.ts'
import type { BookedTransfer } from '#ports/ledger.ts'
import type { OperatedRequests } from '#ports/operated-requests.ts'
import type { RequestLookup, TracedRequest } from '#ports/request-lookup.ts'
import { findGeneration, type FoundGeneration } from './find-generation.ts'

/** A request as operators see it. */
export interface FoundRequest {
  readonly id: Uuid
  readonly trace: TracedRequest
  /** Null while it is running, and if it was refused. */
  readonly generation: FoundGeneration | null
  /** Its ledger transactions. A request is charged once or not at all. */
  readonly transfers: readonly BookedTransfer[]
}

export interface FindRequestDeps {
  readonly lookup: RequestLookup
  readonly generations: GenerationArchive
  readonly requests: Pick<OperatedRequests, 'listTransfers'>
}

/** Finds any request by its request id or generation id, which differ only in their prefix. */
export async function findRequest(deps: FindRequestDeps, text: string): Promise<FoundRequest> {
  const id = parseAnyRequestId(text)
  if (id === undefined) throw new GatewayError('notFound', { message: notAnId })
  const trace = await deps.lookup.trace(id)
  if (trace === null) throw new GatewayError('notFound', { message: nothingOf(text, id) })
  const { walletId } = trace
  const transfers = await deps.requests.listTransfers({ id, walletId })
  if (trace.state === 'running' || trace.state === 'refused') return { id, trace, generation: null, transfers }
  return { id, trace, generation: await findGeneration(deps.generations, { walletId, only: null }, id), transfers }
}

const notAnId =
  'A request id is req_ or gen- followed by 32 hexadecimal digits. Ids from earlier releases are longer and have no record; search the log for them.'

function nothingOf(text: string, id: Uuid): string {
  return (
    `No record of ${text}, received at ${new Date(uuidTimeMs(id)).toISOString()}. Either it was rejected and its key is unknown or ` +
    'had many rejected requests in that minute, it called no model, it is free and still running, its settlement is still in ' +
    "a gateway's spool, or its record has expired. The gateway logs have one line with the requestId per rejected request."
  )
}
