import { queryClient } from '../../app/query-client.ts'

const names = ['books', 'top-ups', 'transactions', 'statement', 'documents', 'payment-methods']

/** After money has moved: what every page shows of it is read anew. */
export async function refreshMoney(): Promise<void> {
  await Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })))
}
