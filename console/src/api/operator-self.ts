import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

/** The person's role as an operator, null for other people, and whether the session may act in it. */
export const operatorSelfQuery = queryOptions({
  queryKey: ['operator-self'],
  queryFn: () => dataOf(api.GET('/api/operator')),
  staleTime: 60_000,
})
