import { readWallet } from '#control/wallets/credit-wallet.ts'
import { publicGenerationId, parseGenerationId } from '#domain/ledger/generation-id.ts'
import { parseAnyRequestId } from '#domain/ledger/request-id.ts'
import { type RequestOutcome, requestOutcomes } from '#domain/ledger/request-outcome.ts'
import { type Uuid, uuidTimeMs } from '#lib/uuid.ts'
import type { Wallets } from '#ports/ledger.ts'
import type { OperatedRequestFilter, OperatedRequests } from '#ports/operated-requests.ts'
import type { Endpoint } from '../endpoint.ts'
import { idOf, limitOf, momentOf, type Query, refuseValue, textOf } from '../request-values.ts'
import { renderOperatedRequest } from './render-request-entry.ts'
import { requestListSchema, requestQuerySchema } from './request-list-schema.ts'

interface RequestListDeps {
  readonly requests: OperatedRequests
  readonly wallets: Wallets
}

/** Requests of all customers, also refused ones. */
export function requestListEndpoint(deps: RequestListDeps): Endpoint {
  return {
    tag: 'Operators',
    access: 'operators.requests',
    name: 'searchRequests',
    method: 'GET',
    paths: ['/api/admin/requests'],
    summary: 'Search requests of all customers',
    description: 'Lists finished and refused requests, newest first.',
    query: requestQuerySchema,
    reply: { status: 200, description: 'A page of requests, newest first.', schema: requestListSchema },
    errors: ['malformedRequest', 'notFound'],
    handle: async ({ query, nowMs }) => {
      const filter = await filterOf(deps, query)
      const limit = limitOf(query, { fallback: 20, max: 100 })
      const { records, next } = await deps.requests.list({ filter, before: beforeOf(query), limit, nowMs })
      return {
        body: {
          data: records.map(renderOperatedRequest),
          next_cursor: next === null || filter.id !== null ? null : publicGenerationId(next),
        },
      }
    },
  }
}

async function filterOf({ requests, wallets }: RequestListDeps, query: Query): Promise<OperatedRequestFilter> {
  const customer = textOf(query, 'customer')
  const keyId = idOf(query, 'key', 'a key id')
  const id = requestIdOf(query)
  // A key's requests are found among those of its wallet, which have an index.
  const ofKey = keyId === null ? null : await requests.findWallet(keyId)
  return {
    id,
    walletId: customer === null ? ofKey : (await readWallet(wallets, customer)).id,
    keyId,
    model: textOf(query, 'model'),
    provider: textOf(query, 'provider'),
    outcome: outcomeOf(query),
    error: textOf(query, 'error'),
    fromMs: id === null ? momentOf(query, 'from') : uuidTimeMs(id),
    toMs: id === null ? momentOf(query, 'to') : uuidTimeMs(id) + 1,
  }
}

function outcomeOf(query: Query): RequestOutcome | null {
  const text = textOf(query, 'outcome')
  const outcome = requestOutcomes.find((known) => known === text)
  if (text !== null && outcome === undefined) throw refuseValue('outcome', `one of ${requestOutcomes.join(', ')}`)
  return outcome ?? null
}

function requestIdOf(query: Query): Uuid | null {
  const text = textOf(query, 'id')
  if (text === null) return null
  const id = parseAnyRequestId(text)
  if (id === undefined) throw refuseValue('id', 'a request id or a generation id')
  return id
}

function beforeOf(query: Query): Uuid | null {
  const text = textOf(query, 'before')
  if (text === null) return null
  const id = parseGenerationId(text)
  if (id === undefined) throw refuseValue('before', 'a next_cursor from a previous page')
  return id
}
