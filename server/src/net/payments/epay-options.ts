import type { Currency } from '#domain/payments/currency.ts'

export interface EpayOptions {
  /** In front of `submit.php` and `api.php`. */
  readonly url: string
  readonly merchantId: string
  readonly key: string
  /** Null: people choose on its page. */
  readonly type: string | null
  readonly currency: Currency
  /** Where it tells of payments. */
  readonly notifyUrl: string
  readonly nowMs: () => number
}
