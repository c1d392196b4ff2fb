import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'
import { parseExact } from './exact-json.ts'
import { linkTo } from './link-to.ts'

export type BillingDocument = Awaited<ReturnType<typeof listDocuments>>['data'][number]
export type BillingProfile = NonNullable<Awaited<ReturnType<typeof readProfile>>>
export type PaymentMethod = Awaited<ReturnType<typeof listMethods>>[number]

const pageSize = '50'

function listDocuments(
  walletId: string,
  query: { readonly limit: string; readonly kind?: string; readonly before?: string },
) {
  return dataOf(api.GET('/api/wallets/{walletId}/invoices', { params: { path: { walletId }, query } }))
}

/** Receipts, credit notes and invoices of a wallet, paginated, newest first. */
export function documentsQuery(ownerId: string | undefined, filter: { readonly kind?: string }) {
  return infiniteQueryOptions({
    queryKey: ['documents', ownerId, filter],
    queryFn: ({ pageParam }) =>
      listDocuments(ownerId ?? '', {
        ...filter,
        limit: pageSize,
        ...(pageParam === null ? {} : { before: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    enabled: ownerId !== undefined,
  })
}

/** The data that a document was issued with. Amounts are decimal strings. */
export interface Snapshot {
  readonly test: boolean
  readonly seller: { readonly name: string; readonly address: string | null; readonly tax_id: string | null }
  readonly buyer: { readonly name: string; readonly address: string; readonly tax_id: string | null }
  readonly currency: string
  readonly lines: readonly { readonly label: string; readonly amount: `${number}` }[]
  readonly total: `${number}`
  /** Only in invoices: the usage of each cost center, and the amount carried to the next invoice. */
  readonly usage?: readonly { readonly cost_center: string | null; readonly usd: `${number}` }[]
  readonly balance_usd?: `${number}`
  readonly carried_usd?: `${number}`
}

/** One document with the data it was issued with, and whether its hash matches. */
export function documentQuery(ownerId: string | undefined, number: string) {
  return queryOptions({
    queryKey: ['documents', ownerId, 'one', number],
    queryFn: async () => {
      const params = { path: { walletId: ownerId ?? '', number } }
      const { data } = await dataOf(api.GET('/api/wallets/{walletId}/invoices/{number}', { params }))
      const isGenuine = (await hashOf(data.snapshot)) === data.sha256
      return { ...data, isGenuine, shown: parseExact(data.snapshot) as Snapshot }
    },
    enabled: ownerId !== undefined,
  })
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Links to the printable page and to the file of a document. */
export function documentLinks(walletId: string, number: string): { readonly page: string; readonly file: string } {
  const path = { walletId, number }
  return {
    page: linkTo('/api/wallets/{walletId}/invoices/{number}/html', { path }),
    file: linkTo('/api/wallets/{walletId}/invoices/{number}/pdf', { path }),
  }
}

/** Creates an order that pays an invoice. Returns the URL of the provider's payment page. */
export async function payInvoice(walletId: string, number: string): Promise<string> {
  const params = { path: { walletId, number } }
  const { data } = await dataOf(api.POST('/api/wallets/{walletId}/invoices/{number}/pay', { params, body: {} }))
  if (data.checkout_url === null) throw new Error('A payment for this invoice is already in progress.')
  return data.checkout_url
}

/** Billing details for documents, or null if the owner has not entered any. */
export function profileQuery(ownerId: string) {
  return queryOptions({ queryKey: ['billing-profile', ownerId], queryFn: () => readProfile(ownerId) })
}

async function readProfile(walletId: string) {
  return (await dataOf(api.GET('/api/wallets/{walletId}/billing-profile', { params: { path: { walletId } } }))).data
}

export async function saveProfile(walletId: string, body: BillingProfile) {
  const params = { path: { walletId } }
  return (await dataOf(api.PUT('/api/wallets/{walletId}/billing-profile', { params, body }))).data
}

/** Cards that the payment provider stores for a wallet. */
export function methodsQuery(ownerId: string) {
  return queryOptions({ queryKey: ['payment-methods', ownerId], queryFn: () => listMethods(ownerId) })
}

async function listMethods(walletId: string) {
  return (await dataOf(api.GET('/api/wallets/{walletId}/payment-methods', { params: { path: { walletId } } }))).data
}

/** Returns the URL of the provider's page for saving a card. */
export async function openSavingPage(walletId: string): Promise<string> {
  const params = { path: { walletId } }
  return (await dataOf(api.POST('/api/wallets/{walletId}/payment-methods', { params }))).data.url
}

export async function deleteMethod(walletId: string, methodId: string): Promise<void> {
  const params = { path: { walletId, methodId } }
  await api.DELETE('/api/wallets/{walletId}/payment-methods/{methodId}', { params })
}
