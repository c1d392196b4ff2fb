import { resetNameOf, spendPeriods } from '#domain/limits/spend-period.ts'
import { type NanoUsd, nanoPerUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { Alert } from './judge-alerts.ts'

const nanoPerCent = 10_000_000n

/** For example `$50`, `$12.40` or `-$0.05`. Fractions of a cent are cut off. */
export function dollars(amount: NanoUsd): string {
  const cents = (amount < 0n ? -amount : amount) / nanoPerCent
  const sign = amount < 0n && cents > 0n ? '-' : ''
  const rest = cents % 100n
  const whole = (cents * nanoPerCent) / nanoPerUsd
  return `${sign}$${whole}${rest === 0n ? '' : `.${String(rest).padStart(2, '0')}`}`
}

const budgetWords: Readonly<Record<string, string>> = {
  organization_week: 'weekly budget of the organization',
  organization_month: 'monthly budget of the organization',
  team_month: 'monthly budget of the team',
  member_month: 'monthly budget of the member',
  ...Object.fromEntries(spendPeriods.map((period) => [`key_${period}`, `${resetNameOf(period)} limit of the key`])),
  key_life: 'limit of the key',
}

/** An alert in one sentence, such as `$12.40 of $50 left in the monthly budget of the team Research.` */
export function alertWords(alert: Alert): string {
  if (alert.kind === 'balance')
    return `${dollars(alert.balance)} left, below your alert threshold of ${dollars(alert.below)}.`
  const { kind, name, limit, spent } = alert.budget
  const left = nanoUsd(spent < limit ? limit - spent : 0n)
  return `${dollars(left)} of ${dollars(limit)} left in the ${budgetWords[kind] ?? 'budget of'} ${name}.`
}
