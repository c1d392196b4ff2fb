import type { Refusal } from '#domain/ledger/refusal.ts'
import { nextUuid, type Uuid, uuidTimeMs } from '#lib/uuid.ts'
import type { GenerationFilter, GenerationListQuery, GenerationLists, ListedGeneration } from '#ports/account-reads.ts'
import type { RefusalLists } from '#ports/refusals.ts'

/** `finished`: requests that have a generation. `refused`: requests that were refused before a hold. */
export type WantedOutcome = 'finished' | 'refused' | 'any'

export interface RequestListQuery extends GenerationListQuery {
  readonly outcome: WantedOutcome
  /** Only this request. */
  readonly id: Uuid | null
}

export type ListedRequest =
  | { readonly kind: 'finished'; readonly record: ListedGeneration }
  | { readonly kind: 'refused'; readonly record: Refusal }

export interface RequestPage {
  readonly requests: readonly ListedRequest[]
  readonly next: Uuid | null
}

interface Lists {
  readonly lists: GenerationLists
  readonly refusals: Pick<RefusalLists, 'list'>
}

/** Finished and refused requests in one list, the newest first. */
export async function listRequests(lists: Lists, { id, ...query }: RequestListQuery): Promise<RequestPage> {
  return id === null ? readPage(lists, query) : readOne(lists, query, id)
}

/** The request is the newest of those before the id that follows it. */
async function readOne(lists: Lists, query: Omit<RequestListQuery, 'id'>, id: Uuid): Promise<RequestPage> {
  const filter = { ...query.filter, fromMs: uuidTimeMs(id), toMs: uuidTimeMs(id) + 1 }
  const { requests } = await readPage(lists, { ...query, filter, before: nextUuid(id), limit: 1 })
  return { requests: requests.filter(({ record }) => record.id === id), next: null }
}

async function readPage({ lists, refusals }: Lists, query: Omit<RequestListQuery, 'id'>): Promise<RequestPage> {
  const { outcome, ...asked } = query
  const [finished, refused] = await Promise.all([
    outcome === 'refused' ? nothing : lists.list(asked),
    outcome === 'finished' || !mayMatch(asked.filter) ? nothing : refusals.list(asked),
  ])
  // A page says nothing about requests before its cursor, so the list goes back only as far as both pages do.
  const reach = laterOf(finished.next, refused.next)
  const merged = [
    ...finished.records.map((record) => ({ kind: 'finished', record }) as const),
    ...refused.records.map((record) => ({ kind: 'refused', record }) as const),
  ]
    .filter(({ record }) => reach === null || record.id >= reach)
    .sort((one, other) => (one.record.id < other.record.id ? 1 : -1))
  const requests = merged.slice(0, query.limit)
  return { requests, next: merged.length > query.limit ? (requests.at(-1)?.record.id ?? null) : reach }
}

const nothing = { records: [], next: null }

/**
 * A refused request had no provider, and the name of its application, its customer, user, run and tags are not kept.
 */
function mayMatch({ provider, app, endCustomerId, runId, tagId, endUser }: GenerationFilter): boolean {
  return [provider, app, endCustomerId, runId, tagId, endUser].every((asked) => asked === null)
}

function laterOf(one: Uuid | null, other: Uuid | null): Uuid | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}
