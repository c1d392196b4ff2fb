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
  readonly limits: EndCustomerLimits
}

/** An id that fits a URL and a header as it is. */
const externalIdForm = /^[\w.:@+~=|-]{1,128}$/

/** Completes the sentence "… must be". */
export const externalIdRule = '1 to 128 letters, digits or characters of . : @ + ~ = | _ -'

export function isExternalId(text: string): boolean {
  return externalIdForm.test(text) && text !== '.' && text !== '..'
}

const walletIdLength = 36

/** The name of a customer in caches and in messages between processes. */
export function endCustomerKey(walletId: Uuid, externalId: string): string {
  return `${walletId}${externalId}`
}

export function walletIdIn(key: string): Uuid {
  return key.slice(0, walletIdLength)
}

export function externalIdIn(key: string): string {
  return key.slice(walletIdLength)
}
