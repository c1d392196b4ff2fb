import type { CalendarUnit } from '#lib/utc-calendar.ts'

/**
 * Every period that the spend limit of a key can have. Scopes, statements, the API, the command line and messages read
 * this table; the console has its own in `console/src/lib/spend-periods.ts`.
 */
const periods = [
  { period: 'day', adverb: 'daily' },
  { period: 'week', adverb: 'weekly' },
  { period: 'month', adverb: 'monthly' },
] as const satisfies readonly { readonly period: CalendarUnit; readonly adverb: string }[]

export type SpendPeriod = (typeof periods)[number]['period']

export const spendPeriods: readonly SpendPeriod[] = periods.map(({ period }) => period)

const adverbs: ReadonlyMap<SpendPeriod, string> = new Map(periods.map(({ period, adverb }) => [period, adverb]))

const spellings: ReadonlyMap<string, SpendPeriod> = new Map(
  periods.flatMap(({ period, adverb }) => [
    [period, period],
    [adverb, period],
  ]),
)

/** Accepts every spelling in use; one is stored. */
export function parseSpendPeriod(text: string): SpendPeriod | undefined {
  return spellings.get(text.toLowerCase())
}

export function resetNameOf(period: SpendPeriod): string {
  return adverbs.get(period) ?? period
}
