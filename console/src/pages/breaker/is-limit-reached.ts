import { type ExactNumber, toNano } from '../../lib/money.ts'

/** Whether the spend of the current minute or hour leaves no room for another request. */
export function isLimitReached(
  { cbMinuteUsd, cbHourlyUsd }: { readonly cbMinuteUsd: ExactNumber; readonly cbHourlyUsd: ExactNumber },
  { minuteSpend, hourSpend }: { readonly minuteSpend: ExactNumber; readonly hourSpend: ExactNumber },
): boolean {
  return toNano(minuteSpend) >= toNano(cbMinuteUsd) || toNano(hourSpend) >= toNano(cbHourlyUsd)
}
