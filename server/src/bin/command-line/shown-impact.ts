import type { Impact } from '#control/catalogue/import/estimate-impact.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { formatTable } from './format-table.ts'

/** The customers and charges that a price change affects. */
export function impactLines(impacts: readonly Impact[]): string[] {
  if (impacts.length === 0) return ['', 'No request of the last 30 days used a price that changes.']
  const rows = impacts.map(({ model, provider, requests, customers, charged, wouldBe }) => [
    model,
    provider,
    String(requests),
    String(customers),
    formatUsd(charged),
    wouldBe === null ? 'rejected' : formatUsd(wouldBe),
  ])
  const titles = ['MODEL', 'PROVIDER', 'REQUESTS', 'CUSTOMERS', 'CHARGED (USD)', 'AT NEW PRICES, ABOUT']
  return ['', 'The last 30 days at prices that change:', '', ...formatTable(titles, rows)]
}

export function impactJson(impacts: readonly Impact[]): JsonObject[] {
  return impacts.map(({ charged, wouldBe, ...use }) => ({
    ...use,
    charged: formatUsd(charged),
    wouldBe: wouldBe === null ? null : formatUsd(wouldBe),
  }))
}
