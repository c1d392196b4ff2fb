export const spendPeriods = ['day', 'week', 'month'] as const
export type SpendPeriod = (typeof spendPeriods)[number]

const spellings: ReadonlyMap<string, SpendPeriod> = new Map([
  ['day', 'day'],
  ['daily', 'day'],
  ['week', 'week'],
  ['weekly', 'week'],
  ['month', 'month'],
  ['monthly', 'month'],
])

/** Every spelling in use is accepted; one is stored. */
export function parseSpendPeriod(text: string): SpendPeriod | undefined {
  return spellings.get(text.toLowerCase())
}

export function resetNameOf(period: SpendPeriod): string {
  return period === 'day' ? 'daily' : `${period}ly`
}
