import { type InfiniteData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { api, dataOf } from '../../api/client.ts'
import { type Generation, type GenerationPage, listGenerations, type RefusalReason } from '../../api/generations.ts'

export type Receipt = Awaited<ReturnType<typeof readReceipt>>

export interface RefusedRequest extends Generation {
  readonly refusal: RefusalReason
}

type FoundRequest =
  | { readonly receipt: Receipt; readonly refused?: undefined }
  | { readonly refused: RefusedRequest; readonly receipt?: undefined }

interface ReceiptAddress {
  readonly organization?: string
  readonly id: string
}

export function receiptQuery(wallet: { readonly query: { readonly organization?: string } }, requestId: string) {
  return queryOptions({
    queryKey: ['receipt', wallet.query.organization ?? null, requestId],
    queryFn: async ({ client }) => {
      const refused = findListed(client, requestId)
      return refused === undefined ? findRequest({ ...wallet.query, id: requestId }) : { refused }
    },
    // A finished or refused request never changes.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** A refused request of a list that is loaded, so that opening it asks for nothing. */
function findListed(client: QueryClient, requestId: string): RefusedRequest | undefined {
  const lists = client.getQueriesData<InfiniteData<GenerationPage> | GenerationPage>({ queryKey: ['generations'] })
  for (const [, list] of lists) {
    const pages = list === undefined ? [] : 'pages' in list ? list.pages : [list]
    const found = pages.flatMap(({ data }) => data).find(({ id }) => id === requestId)
    if (found !== undefined && isRefused(found)) return found
  }
  return undefined
}

/** A refused request has no receipt, so it is looked for among the refused ones. */
async function findRequest(address: ReceiptAddress): Promise<FoundRequest> {
  try {
    return { receipt: await readReceipt(address) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    const { data } = await listGenerations({ ...address, status: 'refused' }, { limit: 1 })
    const [found] = data
    if (found === undefined || !isRefused(found)) throw error
    return { refused: found }
  }
}

function isRefused(request: Generation): request is RefusedRequest {
  return request.refusal !== null
}

async function readReceipt(query: ReceiptAddress) {
  return (await dataOf(api.GET('/v1/generation', { params: { query } }))).data
}
