import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { amountBody } from './amount-body.ts'
import { dataOf } from './client.ts'
import { operators } from './operator.ts'

export type Provider = Awaited<ReturnType<typeof listProviders>>[number]
export type ProviderFailure = Awaited<ReturnType<typeof listFailures>>[number]
export type Route = Awaited<ReturnType<typeof listRoutes>>[number]
export type RouteExplanation = Awaited<ReturnType<typeof explainRoute>>
export type CatalogueModel = Awaited<ReturnType<typeof listModels>>['data'][number]
export type SoldModel = Awaited<ReturnType<typeof readModel>>
export type QuotedPrice = SoldModel['prices'][number]

async function listProviders() {
  return (await dataOf(operators.GET('/api/admin/providers'))).data
}

/** Asked again every ten seconds, because circuits open and close. */
export const providersQuery = queryOptions({
  queryKey: ['operator', 'providers'],
  queryFn: listProviders,
  refetchInterval: 10_000,
})

async function listFailures(accountName: string) {
  const params = { path: { accountName } }
  return (await dataOf(operators.GET('/api/admin/providers/{accountName}/failures', { params }))).data
}

export function failuresQuery(accountName: string) {
  return queryOptions({
    queryKey: ['operator', 'provider-failures', accountName],
    queryFn: () => listFailures(accountName),
  })
}

export interface ProviderTerms {
  readonly weight: number
  /** `provider` for the provider's public policy. */
  readonly keepsPrompts: 'yes' | 'no' | 'provider'
  readonly variant: string
  /** A percentage as typed. */
  readonly discount: string
}

export interface NewProvider extends ProviderTerms {
  readonly vendor: string
  /** Empty for the provider's name. */
  readonly name: string
  /** Empty for the provider's own. */
  readonly baseUrl: string
  readonly key: string
}

export function addProvider({ vendor, name, baseUrl, key, ...terms }: NewProvider) {
  const body = {
    vendor,
    ...(name === '' ? {} : { name }),
    ...(baseUrl === '' ? {} : { baseUrl }),
    ...(key === '' ? {} : { key }),
    ...termsBody(terms),
  }
  return dataOf(operators.POST('/api/admin/providers', { body }))
}

function termsBody({ weight, keepsPrompts, variant, discount }: ProviderTerms) {
  const keeps = keepsPrompts === 'provider' ? null : keepsPrompts === 'yes'
  return { weight, keepsPrompts: keeps, variant, discountPercent: amountBody(discount) }
}

export function changeProvider(accountName: string, terms: ProviderTerms) {
  const params = { path: { accountName } }
  const body = termsBody(terms)
  return dataOf(operators.PATCH('/api/admin/providers/{accountName}', { params, body }))
}

export function enableProvider(accountName: string, enabled: boolean) {
  const params = { path: { accountName } }
  return dataOf(operators.PATCH('/api/admin/providers/{accountName}', { params, body: { enabled } }))
}

export function replaceProviderKey(accountName: string, key: string) {
  const params = { path: { accountName } }
  return operators.PUT('/api/admin/providers/{accountName}/key', { params, body: { key } })
}

async function listRoutes() {
  return (await dataOf(operators.GET('/api/admin/routes'))).data
}

export const routesQuery = queryOptions({ queryKey: ['operator', 'routes'], queryFn: listRoutes })

export interface NewRoute {
  readonly pattern: string
  readonly account: string
  /** Empty for the name in the catalogue. */
  readonly upstreamModel: string
  readonly priority: number
}

export function addRoute({ upstreamModel, ...route }: NewRoute) {
  const body = { ...route, upstreamModel: upstreamModel === '' ? null : upstreamModel }
  return dataOf(operators.POST('/api/admin/routes', { body }))
}

export function removeRoute({ pattern, account }: Pick<Route, 'pattern' | 'account'>) {
  return operators.DELETE('/api/admin/routes', { params: { query: { pattern, account } } })
}

async function explainRoute(model: string, customer: string | undefined) {
  const query = { model, ...(customer === undefined ? {} : { customer }) }
  return (await dataOf(operators.GET('/api/admin/routes/explanation', { params: { query } }))).data
}

export function explanationQuery(model: string, customer: string | undefined) {
  return queryOptions({
    queryKey: ['operator', 'route-explanation', model, customer ?? null],
    queryFn: () => explainRoute(model, customer),
  })
}

export const catalogueStateQuery = queryOptions({
  queryKey: ['operator', 'catalogue', 'state'],
  queryFn: () => dataOf(operators.GET('/api/admin/catalogue')),
})

function listModels(q: string | undefined, after: string | null) {
  const query = { limit: '100', ...(q === undefined ? {} : { q }), ...(after === null ? {} : { after }) }
  return dataOf(operators.GET('/api/admin/catalogue/models', { params: { query } }))
}

export function catalogueModelsQuery(q: string | undefined) {
  return infiniteQueryOptions({
    queryKey: ['operator', 'catalogue', 'models', q ?? ''],
    queryFn: ({ pageParam }) => listModels(q, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

async function readModel(model: string) {
  return (await dataOf(operators.GET('/api/admin/catalogue/model', { params: { query: { model } } }))).data
}

export function soldModelQuery(model: string) {
  return queryOptions({ queryKey: ['operator', 'catalogue', 'model', model], queryFn: () => readModel(model) })
}
