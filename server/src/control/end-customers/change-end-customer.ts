import type { KeyAccount } from '#domain/access/key-account.ts'
import { walletKey } from '#domain/access/wallet-key.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { newUuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type {
  EndCustomerChange,
  EndCustomerRecord,
  EndCustomerReference,
  EndCustomers,
  NewEndCustomer,
} from '#ports/end-customers.ts'
import type { ChangeAuthor } from '#ports/keys.ts'

export interface EndCustomerDeps {
  readonly endCustomers: EndCustomers
  readonly announce: Announce
}

export async function createEndCustomer(
  { endCustomers, announce }: EndCustomerDeps,
  { account, customer }: { account: KeyAccount; customer: Omit<NewEndCustomer, 'id'> },
  author: ChangeAuthor,
): Promise<EndCustomerRecord> {
  const { externalId } = customer
  const made = await endCustomers.create(account, { ...customer, id: newUuid(author.nowMs) }, author)
  if (made === 'exists') {
    throw new GatewayError('conflict', { message: `The customer ${externalId} exists already. Change it with PATCH.` })
  }
  await announce({ endCustomer: walletKey(made.walletId, externalId) })
  return readEndCustomer(endCustomers, { account, externalId }, author.nowMs)
}

/** Changes a customer, and makes every process drop its cached copy. */
export async function changeEndCustomer(
  { endCustomers, announce }: EndCustomerDeps,
  { which, change }: { which: EndCustomerReference; change: EndCustomerChange },
  author: ChangeAuthor,
): Promise<EndCustomerRecord> {
  const changed = await endCustomers.change(which, change, author)
  if (changed === 'missing') throw missingEndCustomer()
  if (changed === 'has balance') {
    const message =
      'The customer has a balance, or running requests hold part of it. Take the money back first, then retry.'
    throw new GatewayError('conflict', { message })
  }
  await announce({ endCustomer: walletKey(changed.walletId, which.externalId) })
  return readEndCustomer(endCustomers, which, author.nowMs)
}

export async function readEndCustomer(
  endCustomers: Pick<EndCustomers, 'find'>,
  which: EndCustomerReference,
  nowMs: number,
): Promise<EndCustomerRecord> {
  const found = await endCustomers.find(which, nowMs)
  if (found === null) throw missingEndCustomer()
  return found
}

/** A customer of another account gets the same response as one that does not exist. */
export function missingEndCustomer(): GatewayError {
  return new GatewayError('notFound', { message: 'Customer not found.' })
}
