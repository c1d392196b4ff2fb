import { queryOptions } from '@tanstack/react-query'
import { dataOf } from './client.ts'
import { operators } from './operator.ts'

const everyMs = 5_000

export type Health = Awaited<ReturnType<typeof readHealth>>
export type Finding = Health['status']['findings'][number]

/** Asked again every five seconds while the page is open. */
export const healthQuery = queryOptions({
  queryKey: ['operator', 'health'],
  queryFn: readHealth,
  refetchInterval: everyMs,
})

async function readHealth() {
  return (await dataOf(operators.GET('/api/admin/health'))).data
}
