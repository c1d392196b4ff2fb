import type { TopUp } from '../../api/payments.ts'
import { subtractCharged } from '../../lib/charged-amount.ts'
import type { DecimalText } from '../../lib/money.ts'

/** The refundable amount of a payment. It excludes disputed money, which the bank has already taken back. */
export function refundable({ paid, refunded, disputed }: Pick<TopUp, 'paid' | 'refunded' | 'disputed'>): DecimalText {
  return subtractCharged(paid, refunded, disputed)
}
