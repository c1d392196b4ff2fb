import type { StatedRule, StatedUnits } from '#domain/catalogue/catalogue-row.ts'
import { clockConditions, isClocked } from '#domain/money/price-clock.ts'
import type { PriceUnit } from '#domain/money/price-list.ts'
import { formatUnitPrice, parseUnitPrice } from '#domain/money/unit-price.ts'
import { parseUtcWindows } from '#domain/money/utc-windows.ts'
import type { RecordReader } from './record-reader.ts'

/** The names of rule units in a file. */
const unitsOfRules: ReadonlyMap<string, PriceUnit> = new Map([
  ['output_image', 'per_image_output'],
  ['input_image', 'per_image_input'],
  ['output_megapixel', 'per_megapixel_output'],
  ['input_megapixel', 'per_megapixel_input'],
  ['second', 'per_second_output'],
  ['output_second', 'per_second_output'],
  ['input_second', 'per_second_input'],
  ['megapixel_second', 'per_megapixel_second_output'],
  ['video_token', 'video_output_token'],
  ['minimum_per_generation', 'per_request_minimum'],
  ['web_search', 'web_search'],
])

/** Token prices can depend on the time only; the kind of request does not change the price of a token. */
const tokenUnits: ReadonlyMap<string, PriceUnit> = new Map(
  (
    [
      'prompt',
      'completion',
      'cache_read',
      'cache_write',
      'cache_write_1h',
      'reasoning',
      'audio_input',
      'audio_output',
      'audio_cache_read',
    ] as const
  ).map((unit) => [unit, unit]),
)

/** The name of a rule unit in a file. Only these units occur in rules. */
export function wordOfRuleUnit(unit: PriceUnit): string {
  const [word = unit] = [...unitsOfRules].find(([, named]) => named === unit) ?? []
  return word
}

const conditions = [
  'resolution',
  'audio',
  'task',
  'input_video',
  'mode',
  'quality',
  'size',
  'variant',
  'search_context_size',
  ...clockConditions,
] as const
const conditionNames: ReadonlySet<string> = new Set(conditions)

interface RuledPrice {
  readonly units: StatedUnits
  readonly rules: readonly StatedRule[]
}

/**
 * Parses the prices of variants from `pricing_rules`, together with the resulting plain prices. A rule without a
 * condition is a plain price. A numbered variant is a position in a provider's price list that no request identifies:
 * if all numbers cost the same, that is the plain price; if they differ, the unit has no plain price, so that no client
 * pays a guess.
 */
export function parsePriceRules(reader: RecordReader, base: StatedUnits): RuledPrice {
  const stated = reader.objects('pricing_rules').flatMap((rule) => {
    const parsed = parseRule(rule)
    return parsed === undefined ? [] : [{ ...parsed, path: rule.path }]
  })
  const seen = new Map<string, string>()
  for (const { path, unit, usd, when } of stated) {
    const key = JSON.stringify([unit, Object.entries(when).toSorted()])
    if ((seen.get(key) ?? usd) !== usd) reader.note(path, 'another rule has the same conditions but a different price')
    seen.set(key, usd)
  }
  const units: Partial<Record<PriceUnit, string>> = { ...base }
  for (const { path, unit, usd, when } of stated) {
    if (Object.keys(when).length > 0) continue
    if ((units[unit] ?? usd) !== usd) reader.note(path, `differs from the price in pricing.${unit}`)
    units[unit] = usd
  }
  for (const unit of unitsOfUnknownVariant(stated)) delete units[unit]
  for (const rule of stated) checkClock(rule, units, reader)
  const rules = stated.flatMap(({ path: _, ...rule }) => (Object.keys(rule.when).length === 0 ? [] : [rule]))
  return { units, rules }
}

function parseRule(reader: RecordReader): StatedRule | undefined {
  const { record, path } = reader
  const word = reader.requiredText('unit')
  const unit = unitsOfRules.get(word) ?? tokenUnits.get(word)
  if (word !== '' && unit === undefined) {
    reader.note(
      `${path}.unit`,
      `unknown: ${word}; use one of ${[...unitsOfRules.keys(), ...tokenUnits.keys()].join(', ')}`,
    )
  }
  const usd = unit === undefined ? undefined : parseUnitAmount(reader, { value: record['usd'], unit, key: 'usd' })
  if (unit !== undefined && (record['usd'] === undefined || record['usd'] === null)) {
    reader.note(`${path}.usd`, 'a price is required')
  }
  const when: Record<string, string> = {}
  for (const [name, value] of Object.entries(record)) {
    if (name === 'unit' || name === 'usd' || value === null || value === undefined) continue
    if (!conditionNames.has(name)) reader.note(`${path}.${name}`, `unknown; use one of ${conditions.join(', ')}`)
    else if (!isConditionValue(value)) reader.note(`${path}.${name}`, 'must be a string, an integer or a boolean')
    else when[name] = String(value)
  }
  return unit === undefined || usd === undefined ? undefined : { unit, usd, when }
}

/** The plain price is the highest, and a rule with a time says when it is lower; see `pricesAt`. */
function checkClock(
  { path, unit, usd, when }: StatedRule & { readonly path: string },
  units: StatedUnits,
  reader: RecordReader,
): void {
  const { utc, from, until } = when
  if (utc !== undefined && parseUtcWindows(utc) === null) {
    reader.note(
      `${path}.utc`,
      'must be hours of the week in UTC, such as Mon-Fri 01:00-04:00 06:00-10:00; Sat,Sun 00:00-24:00',
    )
  }
  for (const [name, instant] of Object.entries({ from, until })) {
    if (instant !== undefined && !isInstant(instant)) {
      reader.note(`${path}.${name}`, 'must be a time in UTC, such as 2026-08-16T16:00Z')
    }
  }
  const plain = units[unit]
  if (!isClocked({ when })) {
    if (tokenUnits.has(unit)) reader.note(path, `the price of ${unit} can only depend on utc, from and until`)
    return
  }
  if (plain === undefined) reader.note(path, `pricing.${unit} is missing: it is the price outside of this rule`)
  else if (parseUnitPrice(usd) > parseUnitPrice(plain)) {
    reader.note(`${path}.usd`, `higher than pricing.${unit}, which must be the highest price`)
  }
}

function isInstant(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?Z$/.test(text) && !Number.isNaN(Date.parse(text))
}

function isConditionValue(value: unknown): value is string | number | boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'boolean' || Number.isSafeInteger(value)
}

/** Units whose numbered variants have different prices. */
function unitsOfUnknownVariant(rules: readonly StatedRule[]): PriceUnit[] {
  const prices = new Map<PriceUnit, Set<string>>()
  for (const { unit, usd, when } of rules) {
    if (when['variant'] !== undefined) prices.set(unit, (prices.get(unit) ?? new Set()).add(usd))
  }
  return [...prices].flatMap(([unit, amounts]) => (amounts.size > 1 ? [unit] : []))
}

interface StatedAmount {
  readonly value: unknown
  readonly unit: PriceUnit
  /** The field name, below the reader's path. */
  readonly key: string
}

/** The price of one unit in its shortest spelling. Undefined if it is missing, or invalid, which is noted. */
export function parseUnitAmount(
  reader: Pick<RecordReader, 'path' | 'note'>,
  { value, unit, key }: StatedAmount,
): string | undefined {
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'string' ? shortest(value) : null
  if (text === null) {
    reader.note(`${reader.path}.${key}`, 'must be a non-negative decimal, as a string')
    return undefined
  }
  if (isTokenUnit(unit) && parseUnitPrice(text) > tokenPriceMax) {
    const reason = 'more than 0.01 USD per token: is this the price per million tokens?'
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
  // Quotients such as 1/12 arrive with 19 decimals; digits beyond the finest price are rounded up, never dropped.
  const kept = parseUnitPrice(`${whole}.${decimals.slice(0, decimalCountMax).padEnd(1, '0')}`)
  const isCut = /[1-9]/.test(decimals.slice(decimalCountMax))
  return formatUnitPrice(isCut ? kept + 1n : kept)
}

const tokenPriceMax = parseUnitPrice('0.01')

export function isTokenUnit(unit: string): boolean {
  return !unit.startsWith('per_') && unit !== 'web_search'
}
