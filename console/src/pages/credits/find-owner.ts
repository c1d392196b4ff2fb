import { booksQuery } from '../../api/books.ts'
import { findOrganization } from '../../app/find-organization.ts'
import { queryClient } from '../../app/query-client.ts'

/** The slug of the organization that owns the wallet, unless it is a personal wallet or not visible to this person. */
export async function findOwner(walletId: string): Promise<string | undefined> {
  const books = await queryClient.ensureQueryData(booksQuery(walletId)).catch(() => null)
  if (books?.owner.kind !== 'organization') return undefined
  return (await findOrganization({ id: books.owner.id }))?.slug
}
