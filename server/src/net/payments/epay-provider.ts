import { formatUsd } from '#domain/money/nano-usd.ts'
import { decimalOf } from '#domain/payments/currency.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { CheckoutPages, PaymentEvent, PaymentProvider, SentEvent } from '#ports/payments.ts'
import { askProvider } from './ask-provider.ts'
import type { EpayOptions } from './epay-options.ts'
import { readEpayPayment } from './epay-payment.ts'
import { epaySignature, isSignedByEpay } from './epay-signature.ts'

/**
 * Payments through a service with the epay protocol: a signed redirect, a signed notification and one URL to query an
 * order. The protocol has neither idempotent refunds nor a ledger, so an operator refunds in the service and books the
 * refund here.
 */
export function createEpayProvider(options: EpayOptions): PaymentProvider {
  return {
    name: 'epay',
    isLive: true,
    saved: null,
    takes: (currency) => currency === options.currency,
    createCheckout: async (order, pages) => ({
      checkoutRef: numberOf(order.id),
      url: pageOf(options, order, pages),
    }),
    readPayment: (order) => askProvider(() => readEpayPayment(options, { order, number: numberOf(order.id) })),
    // Notifications contain our order number, so nothing needs to be looked up.
    identify: async () => null,
    verifyEvent: async (sent) => noticeOf(options, sent),
    lists: null,
    refund: null,
  }
}

// Notifications have no id. The same one within a minute is processed once; later it may report something new.
const minuteMs = 60_000

/** The signed URL of the payment page. It is derived from the order, so the same order has the same page. */
function pageOf({ url, merchantId, key, type, notifyUrl }: EpayOptions, order: TopUp, pages: CheckoutPages): string {
  const fields = new URLSearchParams({
    pid: merchantId,
    ...(type === null ? {} : { type }),
    out_trade_no: numberOf(order.id),
    notify_url: notifyUrl,
    return_url: pages.successUrl,
    name: `${formatUsd(order.quoted.credit)} USD credit`,
    money: decimalOf(order.charged.total, order.currency),
  })
  fields.set('sign', epaySignature(fields, key))
  fields.set('sign_type', 'MD5')
  return `${url}submit.php?${fields}`
}

function noticeOf({ merchantId, key, nowMs }: EpayOptions, { bytes }: SentEvent): PaymentEvent | null {
  const fields = new URLSearchParams(bytes.toString('utf8'))
  if (fields.get('pid') !== merchantId || !isSignedByEpay(fields, key)) return null
  const paymentRef = fields.get('trade_no')
  const type = fields.get('trade_status')
  if (paymentRef === null || paymentRef === '' || type === null) return null
  return {
    id: `${paymentRef}-${type}-${Math.floor(nowMs() / minuteMs)}`,
    type,
    isLive: true,
    createdAtMs: nowMs(),
    topUpId: idOf(fields.get('out_trade_no') ?? ''),
    checkoutRef: null,
    paymentRef,
  }
}

/** Our id as the service's order number, which has at most 32 characters. */
function numberOf(id: Uuid): string {
  return id.replaceAll('-', '')
}

function idOf(number: string): Uuid | null {
  const id = number.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return isUuid(id) ? id : null
}
