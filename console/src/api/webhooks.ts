import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

interface WalletOf {
  readonly organizationId: string | null
  readonly query: { readonly organization?: string }
}

export type Delivery = Awaited<ReturnType<typeof listDeliveries>>['data'][number]

const pageSize = 50
// A pending delivery is sent within seconds; failed deliveries are retried at growing intervals.
const pollMs = 3_000

interface DeliveryQuery {
  readonly organization?: string
  readonly state?: string
  readonly video_id?: string
  readonly limit?: string
  readonly before?: string
}

function listDeliveries(query: DeliveryQuery) {
  return dataOf(api.GET('/v1/webhooks/deliveries', { params: { query } }))
}

/** Webhook deliveries of a wallet, paginated, newest first. The query polls while a delivery is pending. */
export function deliveriesQuery({ organizationId, query }: WalletOf, filter: { readonly state?: string }) {
  return infiniteQueryOptions({
    queryKey: ['deliveries', organizationId, filter],
    queryFn: ({ pageParam }) =>
      listDeliveries({
        ...query,
        ...filter,
        limit: String(pageSize),
        ...(pageParam === null ? {} : { before: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) =>
      (state.data?.pages ?? []).some(({ data }) => data.some(isWaiting)) ? pollMs : false,
  })
}

/** The webhook delivery of one video, or null if its order has no webhook URL or the job is not finished. */
export function deliveryQuery({ organizationId, query }: WalletOf, jobId: string) {
  return queryOptions({
    queryKey: ['deliveries', organizationId, 'of', jobId],
    queryFn: async () => (await listDeliveries({ ...query, video_id: jobId })).data[0] ?? null,
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data !== null && isWaiting(state.data) ? pollMs : false,
  })
}

/** Resends the webhook of a video immediately. */
export function callAgain({ query }: Pick<WalletOf, 'query'>, jobId: string) {
  return dataOf(api.POST('/v1/videos/{jobId}/webhook', { params: { path: { jobId }, query } }))
}

function isWaiting({ state }: Delivery): boolean {
  return state === 'waiting'
}

type SecretOwner = Pick<WalletOf, 'organizationId'>

/** Whether the webhooks of a person or an organization are signed. */
export function webhookSecretQuery({ organizationId: orgId }: SecretOwner) {
  return queryOptions({
    queryKey: ['webhook-secret', orgId],
    queryFn: async () => {
      if (orgId === null) return (await dataOf(api.GET('/v1/webhooks/secret'))).data
      return (await dataOf(api.GET('/api/orgs/{orgId}/webhook-secret', { params: { path: { orgId } } }))).data
    },
  })
}

/** Creates a webhook secret and replaces the previous one. Only this response contains it. */
export async function makeWebhookSecret({ organizationId: orgId }: SecretOwner): Promise<string> {
  if (orgId === null) return (await dataOf(api.PUT('/v1/webhooks/secret'))).data.secret
  return (await dataOf(api.PUT('/api/orgs/{orgId}/webhook-secret', { params: { path: { orgId } } }))).data.secret
}

export async function deleteWebhookSecret({ organizationId: orgId }: SecretOwner): Promise<void> {
  if (orgId === null) await api.DELETE('/v1/webhooks/secret')
  else await api.DELETE('/api/orgs/{orgId}/webhook-secret', { params: { path: { orgId } } })
}
