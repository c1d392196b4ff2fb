import { booksQuery } from '../../api/books.ts'
import { queryClient } from '../../app/query-client.ts'

/** The organization that owns the wallet, or null for a personal wallet or one that this person cannot see. */
export async function findOrganization(walletId: string): Promise<string | null> {
  const books = await queryClient.ensureQueryData(booksQuery(walletId)).catch(() => null)
  return books?.owner.kind === 'organization' ? books.owner.id : null
}
