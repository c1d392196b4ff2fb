import type { PriceUnit } from '#domain/money/price-list.ts'
import { parseUnitPrice, type UnitPrice } from '#domain/money/unit-price.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { plainDecimal } from '#lib/plain-decimal.ts'
import {
  hedgeAfterMsMax,
  hedgeAfterMsMin,
  noPreferences,
  type Preferences,
  type SortBy,
  sortKeys,
} from './preferences.ts'

/** Parses the `provider` object of a request. Missing fields have no effect. */
export function parsePreferences(body: JsonObject): Preferences {
  const { provider } = body
  if (provider === undefined || provider === null) return noPreferences
  if (!isJsonObject(provider)) throw malformed('`provider` must be an object.')
  return {
    order: names(provider, 'order') ?? [],
    only: names(provider, 'only'),
    ignore: names(provider, 'ignore') ?? [],
    allowFallbacks: flag(provider, 'allow_fallbacks') ?? true,
    ...sortOf(provider.sort),
    requireParameters: flag(provider, 'require_parameters') ?? false,
    dataCollection: dataCollectionOf(provider.data_collection),
    quantizations: names(provider, 'quantizations'),
    maxPrice: maxPriceOf(provider.max_price),
    ...hedgeOf(provider.hedge_after_ms),
  }
}

function names(provider: JsonObject, field: string): string[] | null {
  const value = provider[field]
  if (value === undefined || value === null) return null
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string')) {
    throw malformed(`\`provider.${field}\` must be an array of strings.`)
  }
  return value.map((name) => name.toLowerCase())
}

function flag(provider: JsonObject, field: string): boolean | null {
  const value = provider[field]
  if (value === undefined || value === null) return null
  if (typeof value !== 'boolean') throw malformed(`\`provider.${field}\` must be true or false.`)
  return value
}

function sortOf(value: JsonValue | undefined): { sort: SortBy | null; sortsAcrossModels: boolean } {
  if (value === undefined || value === null) return { sort: null, sortsAcrossModels: false }
  const { by, partition } = isJsonObject(value) ? value : { by: value, partition: undefined }
  const sort = sortKeys.find((key) => key === by)
  if (sort === undefined) throw malformed(`\`provider.sort\` must be one of ${sortKeys.join(', ')}.`)
  return { sort, sortsAcrossModels: partition === 'none' }
}

function dataCollectionOf(value: JsonValue | undefined): 'allow' | 'deny' {
  if (value === undefined || value === null || value === 'allow') return 'allow'
  if (value === 'deny') return 'deny'
  throw malformed('`provider.data_collection` must be "allow" or "deny".')
}

function hedgeOf(value: JsonValue | undefined): Pick<Preferences, 'hedgeAfter'> {
  if (value === undefined || value === null) return unhedged
  if (value === 'auto') return { hedgeAfter: value }
  const isTime = typeof value === 'number' && Number.isInteger(value)
  if (isTime && value >= hedgeAfterMsMin && value <= hedgeAfterMsMax) return { hedgeAfter: value }
  throw malformed(
    `\`provider.hedge_after_ms\` must be an integer from ${hedgeAfterMsMin} to ${hedgeAfterMsMax}, or "auto".`,
  )
}

const unhedged = {}

/** Clients state USD per million tokens, as listings do; for other units, USD per unit. */
const unitsOfMax: ReadonlyMap<string, { unit: PriceUnit; perMillion: boolean }> = new Map([
  ['prompt', { unit: 'prompt', perMillion: true }],
  ['completion', { unit: 'completion', perMillion: true }],
  ['request', { unit: 'per_request', perMillion: false }],
  ['image', { unit: 'per_image_output', perMillion: false }],
  ['character', { unit: 'per_character', perMillion: false }],
  ['second', { unit: 'per_second_input', perMillion: false }],
])

function maxPriceOf(value: JsonValue | undefined): Preferences['maxPrice'] {
  if (value === undefined || value === null) return null
  if (!isJsonObject(value)) throw malformed('`provider.max_price` must be an object.')
  const prices: Partial<Record<PriceUnit, UnitPrice>> = {}
  for (const [name, amount] of Object.entries(value)) {
    const known = unitsOfMax.get(name)
    if (known === undefined || amount === null || amount === undefined) continue
    prices[known.unit] = limitOf(name, amount, known.perMillion)
  }
  return prices
}

function limitOf(name: string, amount: JsonValue, perMillion: boolean): UnitPrice {
  const text = typeof amount === 'number' ? plainDecimal(amount) : amount
  const [, whole, decimals = ''] = (typeof text === 'string' && /^(\d{1,309})(?:\.(\d+))?$/.exec(text)) || []
  if (whole === undefined) throw malformed(`\`provider.max_price.${name}\` must be a non-negative number.`)
  // Shifts the decimal point by six places, without arithmetic that could round.
  const digits = whole.padStart(7, '0')
  const shifted = `${digits.slice(0, -6)}.${digits.slice(-6)}${decimals.slice(0, unitPriceDecimals - 6)}`
  return parseUnitPrice(
    perMillion ? shifted : decimals === '' ? whole : `${whole}.${decimals.slice(0, unitPriceDecimals)}`,
  )
}

const unitPriceDecimals = 18
