import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

export type Notice = Awaited<ReturnType<typeof listNotices>>[number]
export type AnnouncedModel = Notice['models'][number]

async function listNotices(walletId: string) {
  return (await dataOf(api.GET('/api/wallets/{walletId}/notices', { params: { path: { walletId } } }))).data
}

export function noticesQuery(ownerId: string | undefined) {
  return queryOptions({
    queryKey: ['notices', ownerId],
    queryFn: () => listNotices(ownerId ?? ''),
  })
}

export function dismissNotice(walletId: string, noticeId: string) {
  return api.POST('/api/wallets/{walletId}/notices/{noticeId}/dismiss', { params: { path: { walletId, noticeId } } })
}
