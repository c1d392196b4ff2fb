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
  /** Null while it runs. */
  readonly generation: FoundGeneration | null
}

/** Any request by the id of the request or of the generation, which are the same but for their beginning. */
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
  'An id is req_ or gen- and 32 hexadecimal digits. Request ids of releases before this one are longer and lead to no record; look for them in the log.'

function nothingOf(text: string, id: Uuid): string {
  return (
    `Nothing is stored of ${text}, which came in at ${new Date(uuidTimeMs(id)).toISOString()}. Either it was refused before anything ` +
    'was reserved for it (such as 400, 401, 402, 403, 429), it called no model, it is free and still running, its settle waits in ' +
    "a gateway's spool, or its record has expired. The gateways' logs have a line with its requestId for each refusal."
  )
}
