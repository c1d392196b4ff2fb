import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { pricePerMillion } from '#domain/usage/price-per-million.ts'
import { sharePercents } from '#domain/usage/share-percents.ts'
import { addSums, bySpend, type ReportSums } from './add-sums.ts'
import { readPayingWallet, type ReportDeps, type ReportQuery } from './report-deps.ts'

export interface ModelReport extends ReportSums {
  readonly model: string
  readonly sharePercent: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly pricePerMillion: NanoUsd | null
}

/** Which models the month went to. */
export async function reportByModel(deps: ReportDeps, query: ReportQuery): Promise<ModelReport[]> {
  const walletId = await readPayingWallet(deps, query)
  const rows = await deps.usage.sum({ walletId, range: query.month, by: ['model'] })
  const shares = sharePercents(rows.map(({ spent }) => spent))
  return rows
    .map((row, position) => {
      const sums = addSums([row])
      const { model = '', promptTokens, completionTokens } = row
      const sharePercent = shares[position] ?? 0
      const price = pricePerMillion({ spent: sums.spend, tokens: sums.tokens })
      return { model, ...sums, sharePercent, promptTokens, completionTokens, pricePerMillion: price }
    })
    .sort(bySpend)
}
