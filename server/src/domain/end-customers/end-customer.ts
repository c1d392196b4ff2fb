import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** What the owner of a wallet lets a customer spend. Null means no limit. */
export interface EndCustomerLimits {
  readonly day: NanoUsd | null
  readonly month: NanoUsd | null
  readonly total: NanoUsd | null
}

/** A customer of a wallet's owner, as a request of that customer is judged. */
export interface EndCustomerTerms {
  readonly id: Uuid
  readonly suspended: boolean
  /** Whether requests are paid from the customer's balance alone. */
  readonly isPrepaid: boolean
  readonly limits: EndCustomerLimits
}

/** An id that fits a URL and a header as it is. */
const externalIdForm = /^[\w.:@+~=|-]{1,128}$/

/** Completes the sentence "… must be". */
export const externalIdRule = '1 to 128 letters, digits or characters of . : @ + ~ = | _ -'

export function isExternalId(text: string): boolean {
  return externalIdForm.test(text) && text !== '.' && text !== '..'
}
