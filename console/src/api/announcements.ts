import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { dataOf } from './client.ts'
import { operators } from './operator.ts'

export type Announcement = Awaited<ReturnType<typeof listAnnouncements>>[number]

async function listAnnouncements() {
  return (await dataOf(operators.GET('/api/admin/catalogue/announcements'))).data
}

export const announcementsQuery = queryOptions({
  queryKey: ['operator', 'catalogue', 'announcements'],
  queryFn: listAnnouncements,
})

function listTold(announcementId: string, after: string | null) {
  const query = after === null ? {} : { after }
  const params = { path: { announcementId }, query }
  return dataOf(operators.GET('/api/admin/catalogue/announcements/{announcementId}/customers', { params }))
}

export function toldCustomersQuery(announcementId: string) {
  return infiniteQueryOptions({
    queryKey: ['operator', 'catalogue', 'announcements', announcementId],
    queryFn: ({ pageParam }) => listTold(announcementId, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}
