import type { Figure } from '../figure.ts'
import type { GrowthFigures } from './measure-growth.ts'

export function writeGrowth({ wallets, rows, batches }: GrowthFigures): string {
  const lines = batches.map(
    ({ batch, large, ratios }) =>
      `batches of ${batch}: ${spread(large)} µs for a pair; ${ratios.map(({ wallets: few, ratio }) => `${spread(ratio)} times as much as with ${few} wallets and no earlier requests`).join(', ')}`,
  )
  return [`growth: ${wallets} wallets and ${rows} requests, Postgres' CPU`, ...lines].join('\n')
}

function spread(figure: Figure | null): string {
  return figure === null ? 'nothing' : `${figure.median} (${figure.low} to ${figure.high})`
}
