/**
 * The periods of a key's spend limit: `unit` as limits name their window, `adverb` as `limit_reset` spells it. A test
 * compares them with the gateway's table.
 */
export const spendPeriods = [
  { unit: 'day', adverb: 'daily' },
  { unit: 'week', adverb: 'weekly' },
  { unit: 'month', adverb: 'monthly' },
] as const
