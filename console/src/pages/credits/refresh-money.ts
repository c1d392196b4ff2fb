import { queryClient } from '../../app/query-client.ts'

const names = ['books', 'top-ups', 'transactions', 'statement', 'documents', 'payment-methods']

/** Refreshes every query that shows money, after money has moved. */
export async function refreshMoney(): Promise<void> {
  await Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })))
}
