import { parseMinor, zeroMinor } from '#domain/payments/currency.ts'
import type { PaymentReading } from '#domain/payments/payment-reading.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { plainDecimal } from '#lib/plain-decimal.ts'
import type { EpayOptions } from './epay-options.ts'

const timeoutMs = 15_000
const answerBytesMax = 65_536
// Its pages have no end of their own. A payment that comes later still counts, because a notice tells of it.
const payableForMs = 86_400_000

/**
 * What has become of an order, by its own word. Who asks is proven by the key alone, so the answer comes over this
 * connection only.
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
  // Without the address, which has the key.
  if (response.status !== 200 || answer === undefined) throw new Error(`it returned ${response.status} without JSON`)
  // Some put the order into an object of its own.
  return isJsonObject(answer['data']) ? { ...answer, ...objectAt(answer, 'data') } : answer
}

/** Services that tell the trade's status answer with a status of 1 before it is paid, too. */
function isPaid(answer: JsonObject): boolean {
  const trade = textAt(answer, 'trade_status')
  return trade === undefined ? textAt(answer, 'status') === '1' : trade === 'TRADE_SUCCESS'
}

function textAt(answer: JsonObject, name: string): string | undefined {
  const value = answer[name]
  return typeof value === 'number' ? plainDecimal(value) : stringAt(answer, name)
}
