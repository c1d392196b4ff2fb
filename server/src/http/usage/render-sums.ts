import type { NamedSums } from '#control/usage/add-up.ts'
import type { KeySums } from '#control/usage/name-keys.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import type { UsageRow, UsageSums } from '#ports/usage.ts'

/** What something came to, in the words of all answers about usage. */
export function renderFigures(sums: UsageSums) {
  return { spend: usdJson(sums.spent), tokens: sums.promptTokens + sums.completionTokens, requests: sums.requests }
}

export function renderTotals(sums: UsageSums) {
  const { promptTokens, completionTokens } = sums
  return { ...renderFigures(sums), promptTokens, completionTokens }
}

export function renderModel({ name, sums }: NamedSums<string>) {
  return { model: name, ...renderFigures(sums) }
}

export function renderKey({ name, keyName, sums }: KeySums) {
  return { keyId: name, keyName, ...renderFigures(sums) }
}

export function renderApp({ name, sums }: NamedSums<string | null>) {
  return { appName: name, ...renderFigures(sums) }
}

/** A point of a series: its hour, day or month, and what one model came to in it. */
export function renderPoint(row: UsageRow) {
  const { spend, tokens, requests } = renderFigures(row)
  return { date: row.hour ?? row.day ?? row.month ?? null, model: row.model ?? null, cost: spend, tokens, requests }
}
