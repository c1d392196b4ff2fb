import { type ExactNumber, formatUsdShort, toNano } from '../../lib/money.ts'

interface BreakerSettings {
  readonly cbEnabled: boolean | null
  readonly cbMinuteUsd: ExactNumber | null
  readonly cbHourlyUsd: ExactNumber | null
}

/** The own settings of a spend breaker: `On, $5.00 a minute`, or `Inherited` if there are none. */
export function breakerInWords({ cbEnabled, cbMinuteUsd, cbHourlyUsd }: BreakerSettings): string {
  const limits = [
    ...(cbMinuteUsd === null ? [] : [`${formatUsdShort(toNano(cbMinuteUsd))} a minute`]),
    ...(cbHourlyUsd === null ? [] : [`${formatUsdShort(toNano(cbHourlyUsd))} an hour`]),
  ]
  if (cbEnabled === null && limits.length === 0) return 'Inherited'
  if (cbEnabled === false) return 'Off'
  return [cbEnabled === null ? 'Inherited' : 'On', ...limits].join(', ')
}
