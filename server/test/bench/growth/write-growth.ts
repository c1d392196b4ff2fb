import type { Figure } from '../figure.ts'
import type { GrowthOfBatch } from './compare-sizes.ts'
import type { GrowthFigures } from './measure-growth.ts'

export function writeGrowth({ wallets, rows, batches, customers }: GrowthFigures): string {
  return [
    `growth: ${wallets} wallets and ${rows} requests, Postgres' CPU`,
    ...batches.map((batch) => writeBatch(batch, 'wallets and no earlier requests')),
    `growth: ${customers.customers} customers of one wallet, Postgres' CPU`,
    ...customers.batches.map((batch) => writeBatch(batch, 'customers')),
  ].join('\n')
}

function writeBatch({ batch, large, ratios }: GrowthOfBatch, payers: string): string {
  const compared = ratios.map(({ size, ratio }) => `${spread(ratio)} times as much as with ${size} ${payers}`)
  return `batches of ${batch}: ${spread(large)} µs for a pair; ${compared.join(', ')}`
}

function spread(figure: Figure | null): string {
  return figure === null ? 'nothing' : `${figure.median} (${figure.low} to ${figure.high})`
}
