import { booksQuery } from '../../api/books.ts'
import { queryClient } from '../../app/query-client.ts'

/** The organization whose wallet it is; null for a person's own, and for one that this person does not see. */
export async function findOrganization(walletId: string): Promise<string | null> {
  const books = await queryClient.ensureQueryData(booksQuery(walletId)).catch(() => null)
  return books?.owner.kind === 'organization' ? books.owner.id : null
}
