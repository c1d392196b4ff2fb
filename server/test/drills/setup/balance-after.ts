import { formatUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'

/** What a balance in USD is once these costs are paid. */
export function balanceAfter(balance: string, costs: readonly bigint[]): string {
  const start: bigint = parseUsd(balance)
  return formatUsd(nanoUsd(costs.reduce((rest, cost) => rest - cost, start)))
}
