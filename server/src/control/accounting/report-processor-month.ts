import { decimalOf, isCurrency, type Minor, minor } from '#domain/payments/currency.ts'
import type { JsonObject } from '#lib/json.ts'
import { type CalendarMonth, dateOf, rangeOfMonth } from '#lib/utc-calendar.ts'
import type { Accounting, OtherBalance, ProcessorDifference, ProcessorSum } from '#ports/accounting.ts'

const recordsMax = 200

// The direction of each kind on the processor's balance.
const signs: Readonly<Record<string, bigint>> = {
  payment: 1n,
  refund: -1n,
  refund_returned: 1n,
  dispute: -1n,
  dispute_won: 1n,
  processor_fee: -1n,
  processor_fee_returned: 1n,
  payout: -1n,
  payout_returned: 1n,
  other: 1n,
}

/** The processors' balance transactions of a month beside our bookings. Every amount is exact decimal text. */
export async function reportProcessorMonth(
  accounting: Pick<Accounting, 'readProcessorMonth'>,
  month: CalendarMonth,
): Promise<JsonObject> {
  const range = rangeOfMonth(month)
  const { watermarks, sums, differences, others } = await accounting.readProcessorMonth(range, recordsMax)
  const shownOthers = others.slice(0, recordsMax)
  return {
    month: dateOf(range.startMs).slice(0, 7),
    agree: differences.every(({ isOtherMonth }) => isOtherMonth),
    providers: watermarks.map(({ provider, readUntilMs }) => ({
      name: provider,
      read_until: readUntilMs === null ? null : new Date(readUntilMs).toISOString(),
      complete: readUntilMs !== null && readUntilMs >= range.endMs,
    })),
    sums: sums.map(renderSum),
    differences: differences.slice(0, recordsMax).map(renderDifference),
    payouts: shownOthers.map(renderOther),
    has_more: differences.length > recordsMax || others.length > recordsMax,
  }
}

function renderSum({ provider, kind, currency, theirs, ours }: ProcessorSum): JsonObject {
  const sign = signs[kind] ?? 1n
  const amount = (value: bigint): string => amountText(minor(sign * value), currency)
  return { provider, kind, currency, theirs: amount(theirs), ours: amount(ours), difference: amount(theirs - ours) }
}

function renderDifference({ topUpId, lineId, customer, isOtherMonth, ...sum }: ProcessorDifference): JsonObject {
  return {
    ...renderSum(sum),
    top_up_id: topUpId,
    line_id: lineId,
    customer: customer === null ? null : { ...customer },
    other_month: isOtherMonth,
  }
}

function renderOther({ provider, id, kind, currency, amount, fee, createdAtMs }: OtherBalance): JsonObject {
  const sign = signs[kind] ?? 1n
  return {
    provider,
    id,
    kind,
    currency,
    amount: amountText(minor(sign * amount), currency),
    fee: amountText(minor(-fee), 'usd'),
    created_at: new Date(createdAtMs).toISOString(),
  }
}

/** A processor may settle in a currency in which nothing is sold here; then its smallest unit is shown. */
function amountText(amount: Minor, currency: string): string {
  return isCurrency(currency) ? decimalOf(amount, currency) : String(amount)
}
