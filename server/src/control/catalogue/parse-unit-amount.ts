import type { PriceUnit } from '#domain/money/price-list.ts'
import { formatUnitPrice, parseUnitPrice } from '#domain/money/unit-price.ts'
import type { RecordReader } from './record-reader.ts'

export interface StatedAmount {
  readonly value: unknown
  readonly unit: PriceUnit
  /** Where it stands, below the reader's path. */
  readonly key: string
}

/** What one unit costs, in its shortest spelling; undefined where nothing is stated or, which is noted, nothing sensible. */
export function parseUnitAmount(
  reader: Pick<RecordReader, 'path' | 'note'>,
  { value, unit, key }: StatedAmount,
): string | undefined {
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'string' ? shortest(value) : null
  if (text === null) {
    reader.note(`${reader.path}.${key}`, 'not a plain decimal of at least zero, written as a text')
    return undefined
  }
  if (isTokenUnit(unit) && parseUnitPrice(text) > tokenPriceMax) {
    const reason = 'more than 0.01 USD for one token: is this the price of a million?'
    reader.note(`${reader.path}.${key}`, reason)
    return undefined
  }
  return text
}

const decimalForm = /^(\d{1,9})(?:\.(\d{1,30}))?$/
const decimalCountMax = 18

function shortest(text: string): string | null {
  const [, whole, decimals = ''] = decimalForm.exec(text) ?? []
  if (whole === undefined) return null
  // Quotients such as 1/12 arrive with 19 decimals; what exceeds the finest price is rounded up, never away.
  const kept = parseUnitPrice(`${whole}.${decimals.slice(0, decimalCountMax).padEnd(1, '0')}`)
  const isCut = /[1-9]/.test(decimals.slice(decimalCountMax))
  return formatUnitPrice(isCut ? kept + 1n : kept)
}

const tokenPriceMax = parseUnitPrice('0.01')

export function isTokenUnit(unit: string): boolean {
  return !unit.startsWith('per_') && unit !== 'web_search'
}
