import { parseAnyRequestId } from '#domain/ledger/request-id.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type Uuid, uuidTimeMs } from '#lib/uuid.ts'
import type { GenerationArchive } from '#ports/account-reads.ts'
import type { RequestLookup, TracedRequest } from '#ports/request-lookup.ts'
import { findGeneration, type FoundGeneration } from './find-generation.ts'

/** A request as operators see it. */
export interface FoundRequest {
  readonly id: Uuid
  readonly trace: TracedRequest
  /** Null while it is running. */
  readonly generation: FoundGeneration | null
}

/** Finds any request by its request id or generation id, which differ only in their prefix. */
export async function findRequest(
  deps: { readonly lookup: RequestLookup; readonly generations: GenerationArchive },
  text: string,
): Promise<FoundRequest> {
  const id = parseAnyRequestId(text)
  if (id === undefined) throw new GatewayError('notFound', { message: notAnId })
  const trace = await deps.lookup.trace(id)
  if (trace === null) throw new GatewayError('notFound', { message: nothingOf(text, id) })
  const scope = { walletId: trace.walletId, only: null }
  return { id, trace, generation: trace.state === 'running' ? null : await findGeneration(deps.generations, scope, id) }
}

const notAnId =
  'A request id is req_ or gen- followed by 32 hexadecimal digits. Ids from earlier releases are longer and have no record; search the log for them.'

function nothingOf(text: string, id: Uuid): string {
  return (
    `No record of ${text}, received at ${new Date(uuidTimeMs(id)).toISOString()}. Either it was rejected before a hold was placed ` +
    '(for example with 400, 401, 402, 403 or 429), it called no model, it is free and still running, its settlement is still in ' +
    "a gateway's spool, or its record has expired. The gateway logs have one line with the requestId per rejected request."
  )
}
