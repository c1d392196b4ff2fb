import { nanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { EarningsRow, EarningsSums } from '#ports/earnings.ts'

export function renderEarningsRow({ key, owner, ...sums }: EarningsRow): JsonObject {
  return { key, customer: owner === undefined ? null : { ...owner }, ...renderSums(sums) }
}

/** Amounts of `weir earnings --json` as well. */
export function renderSums({ requests, charged, absorbed, providerCost }: EarningsSums): JsonObject {
  return {
    requests,
    charged: usdJson(charged),
    absorbed: usdJson(absorbed),
    provider_cost: usdJson(providerCost),
    margin: usdJson(nanoUsd(charged - providerCost)),
  }
}
