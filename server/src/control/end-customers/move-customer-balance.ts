import { createFieldReader, readBudgetField } from '#control/read-fields.ts'
import { walletKey } from '#domain/access/wallet-key.ts'
import { formatUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { CustomerTransfer, EndCustomerRecord, EndCustomerReference } from '#ports/end-customers.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import { keyReused } from '../wallets/credit-wallet.ts'
import { type EndCustomerDeps, missingEndCustomer, readEndCustomer } from './change-end-customer.ts'

type TransferTerms = Pick<CustomerTransfer, 'amount' | 'to'>

export function parseCustomerTransfer(body: JsonObject): TransferTerms {
  const amount = readBudgetField(body, 'amount') ?? null
  if (amount === null || amount === 0n) throw malformed('amount must be a number in USD greater than 0.')
  const to = createFieldReader(body).requiredText('to')
  if (to !== 'customer' && to !== 'wallet') throw malformed('to must be customer or wallet.')
  return { amount, to }
}

interface MovedBalance {
  /** Id of the ledger transaction. */
  readonly id: Uuid
  readonly customer: EndCustomerRecord
}

/**
 * Moves money between the wallet and a customer's balance. The first money makes the customer prepaid, so every process
 * drops its cached copy.
 */
export async function moveCustomerBalance(
  { endCustomers, announce }: EndCustomerDeps,
  { which, transfer }: { which: EndCustomerReference; transfer: Omit<CustomerTransfer, 'id'> },
  author: ChangeAuthor,
): Promise<MovedBalance> {
  const moved = await endCustomers.transfer(which, { ...transfer, id: newUuid(author.nowMs) }, author)
  if (moved.outcome !== 'moved') throw refusalOf(moved, transfer)
  await announce({ endCustomer: walletKey(moved.walletId, which.externalId) })
  return { id: moved.id, customer: await readEndCustomer(endCustomers, which, author.nowMs) }
}

type Unmoved = { outcome: 'short'; room: NanoUsd } | { outcome: 'missing' | 'key_reused' | 'not prepaid' }

function refusalOf(unmoved: Unmoved, { to }: TransferTerms): GatewayError {
  switch (unmoved.outcome) {
    case 'missing':
      return missingEndCustomer()
    case 'key_reused':
      return keyReused()
    case 'not prepaid':
      return new GatewayError('conflict', {
        message: 'The customer has no balance, because its requests are paid from the wallet. Add money first.',
      })
    case 'short': {
      const room = formatUsd(unmoved.room)
      return to === 'customer'
        ? new GatewayError('insufficientCredits', {
            message: `Insufficient credits. Only $${room} of the wallet is available. Add credit, or move a smaller amount.`,
          })
        : new GatewayError('conflict', {
            message: `Only $${room} of the customer's balance is free, because running requests hold the rest. Move a smaller amount.`,
          })
    }
  }
}
