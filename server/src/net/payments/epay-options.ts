import type { Currency } from '#domain/payments/currency.ts'

export interface EpayOptions {
  /** The base URL of `submit.php` and `api.php`. */
  readonly url: string
  readonly merchantId: string
  readonly key: string
  /** Null if payers choose the method on the service's page. */
  readonly type: string | null
  readonly currency: Currency
  /** The URL to which the service sends payment notifications. */
  readonly notifyUrl: string
  readonly nowMs: () => number
}
