import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { dataOf } from './client.ts'
import { operators } from './operator.ts'

export type PricePlan = NonNullable<Awaited<ReturnType<typeof readPlan>>>
export type CatalogueChange = PricePlan['changes'][number]
export type CatalogueEntry = Awaited<ReturnType<typeof listHistory>>['data'][number]

async function readPlan() {
  return (await dataOf(operators.GET('/api/admin/catalogue/plan'))).data
}

export const pricePlanQuery = queryOptions({ queryKey: ['operator', 'catalogue', 'plan'], queryFn: readPlan })

export interface PlanWish {
  readonly name: string
  /** The text of the file. */
  readonly file: string
  readonly replace: boolean
}

/** Plans the changes of a file. Null if the catalogue is up to date. */
export async function createPricePlan(body: PlanWish) {
  return (await dataOf(operators.POST('/api/admin/catalogue/plan', { body }))).data
}

export type Doubtful = 'refuse' | 'skip' | 'confirm'

export interface PlanApproval {
  readonly planId: string
  readonly doubtful: Doubtful
  /** Whether customers are told. */
  readonly announce: boolean
}

export function approvePricePlan(body: PlanApproval) {
  return dataOf(operators.POST('/api/admin/catalogue/plan/approve', { body }))
}

export function rejectPricePlan(planId: string) {
  return operators.POST('/api/admin/catalogue/plan/reject', { body: { planId } })
}

export const undoQuery = queryOptions({
  queryKey: ['operator', 'catalogue', 'undo'],
  queryFn: async () => (await dataOf(operators.GET('/api/admin/catalogue/undo'))).data,
  // It is about the import that is the last one when the dialog opens.
  staleTime: 0,
  gcTime: 0,
})

export function undoImport(body: { readonly importId: string; readonly announce: boolean }) {
  return dataOf(operators.POST('/api/admin/catalogue/undo', { body }))
}

function listHistory(before: string | null) {
  const query = { limit: '50', ...(before === null ? {} : { before }) }
  return dataOf(operators.GET('/api/admin/catalogue/history', { params: { query } }))
}

export const catalogueHistoryQuery = infiniteQueryOptions({
  queryKey: ['operator', 'catalogue', 'history'],
  queryFn: ({ pageParam }) => listHistory(pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_cursor }) => next_cursor,
})
