import { formatUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'

/** A balance in USD after these costs. */
export function balanceAfter(balance: string, costs: readonly bigint[]): string {
  const start: bigint = parseUsd(balance)
  return formatUsd(nanoUsd(costs.reduce((rest, cost) => rest - cost, start)))
}
