import type { Currency } from '#domain/payments/currency.ts'

export interface EpayOptions {
  /** The base URL of `submit.php` and `api.php`. */
  readonly url: string
  readonly merchantId: string
  readonly key: string
  /** Null if people choose on its page. */
  readonly type: string | null
  readonly currency: Currency
  /** Where it sends payment notifications. */
  readonly notifyUrl: string
  readonly nowMs: () => number
}
