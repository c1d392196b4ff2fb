import { platformEntry } from '#control/operators/platform-entry.ts'
import { readWallet } from '#control/wallets/credit-wallet.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isUuid, newUuid } from '#lib/uuid.ts'
import type { CustomerNote, Customers } from '#ports/customers.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { Wallets } from '#ports/ledger.ts'

interface NoteDeps {
  readonly customers: Customers
  readonly wallets: Wallets
}

const lengthMax = 4_000

/**
 * Writes a note about a customer. Its text is not in the audit log, because notes about a person must be erasable. The
 * entry is in the platform's log even for an organization, whose own log its administrators read.
 */
export async function addNote(
  { customers, wallets }: NoteDeps,
  input: { reference: string; text: string },
  author: ChangeAuthor,
): Promise<CustomerNote> {
  const text = input.text.trim()
  if (text === '' || text.length > lengthMax || text.includes('\0')) {
    throw malformed(`text must be a string of 1 to ${lengthMax} characters.`)
  }
  const { ownerId, ownerKind } = await readWallet(wallets, input.reference)
  const id = newUuid(author.nowMs)
  const target = { kind: ownerKind, id: ownerId }
  const entry = platformEntry(author, { action: 'customer.note.add', target, details: { noteId: id } })
  return customers.addNote({ id, ownerId, text, author: author.actor }, entry)
}

export async function removeNote(
  { customers, wallets }: NoteDeps,
  { reference, noteId }: { reference: string; noteId: string },
  author: ChangeAuthor,
): Promise<void> {
  const { ownerId, ownerKind } = await readWallet(wallets, reference)
  const target = { kind: ownerKind, id: ownerId }
  const entry = platformEntry(author, { action: 'customer.note.remove', target, details: { noteId } })
  const isRemoved = isUuid(noteId) && (await customers.removeNote({ id: noteId, ownerId }, entry))
  if (!isRemoved) throw new GatewayError('notFound', { message: 'Note not found.' })
}
