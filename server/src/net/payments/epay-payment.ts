import { parseMinor, zeroMinor } from '#domain/payments/currency.ts'
import type { PaymentReading } from '#domain/payments/payment-reading.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { plainDecimal } from '#lib/plain-decimal.ts'
import type { EpayOptions } from './epay-options.ts'

const timeoutMs = 15_000
const answerBytesMax = 65_536
// The service's payment pages do not expire. A later payment still counts, because a notification reports it.
const payableForMs = 86_400_000

/**
 * The state of an order, as stated by the service. Notifications are signed weakly, so only a response on this
 * connection counts.
 */
export async function readEpayPayment(
  options: EpayOptions,
  { order, number }: { order: TopUp; number: string },
): Promise<PaymentReading> {
  const answer = await askAbout(options, number)
  const { isLive, sums } = order
  const common = { isLive, checkoutRef: number, sums }
  const isOurs = textAt(answer, 'pid') === options.merchantId && textAt(answer, 'out_trade_no') === number
  if (textAt(answer, 'code') !== '1' || !isPaid(answer)) {
    const isOver = options.nowMs() - order.createdAtMs > payableForMs
    return { ...common, status: isOver ? 'expired' : 'open', topUpId: order.id, currency: null, paymentRef: null }
  }
  const paid = parseMinor(textAt(answer, 'money') ?? '', options.currency)
  if (paid === undefined || paid === zeroMinor) throw new Error(`the response for ${number} has no amount`)
  return {
    ...common,
    status: 'paid',
    topUpId: isOurs ? order.id : null,
    currency: options.currency,
    sums: { ...sums, paid },
    paymentRef: textAt(answer, 'trade_no') ?? null,
  }
}

async function askAbout({ url, merchantId, key }: EpayOptions, number: string): Promise<JsonObject> {
  const query = new URLSearchParams({ act: 'order', pid: merchantId, key, out_trade_no: number })
  const response = await fetch(`${url}api.php?${query}`, {
    redirect: 'error',
    headers: { accept: 'application/json', 'user-agent': 'Weir' },
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  const answer = text.length > answerBytesMax ? undefined : parseJsonObject(text)
  // The error must not contain the URL, which contains the key.
  if (response.status !== 200 || answer === undefined) throw new Error(`it returned ${response.status} without JSON`)
  // Some services nest the order in an object.
  return isJsonObject(answer['data']) ? { ...answer, ...objectAt(answer, 'data') } : answer
}

/** Services that report the trade status also respond with status 1 before the order is paid. */
function isPaid(answer: JsonObject): boolean {
  const trade = textAt(answer, 'trade_status')
  return trade === undefined ? textAt(answer, 'status') === '1' : trade === 'TRADE_SUCCESS'
}

function textAt(answer: JsonObject, name: string): string | undefined {
  const value = answer[name]
  return typeof value === 'number' ? plainDecimal(value) : stringAt(answer, name)
}
