import { parseSpendPeriod, type SpendPeriod, spendPeriods } from '#domain/limits/spend-period.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { usdOfNumber } from '#domain/money/usd-of-number.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { parseIsoMoment } from '#lib/parse-iso-moment.ts'

/** How the value of a field is read; refusals name the field. */
export type FieldParser<Value> = (value: JsonValue, name: string) => Value

/** A field that clients know by several names. Whoever sends more than one of them must mean the same. */
export function readField<Value extends string | number | bigint | boolean | null>(
  body: JsonObject,
  parsers: Readonly<Record<string, FieldParser<Value>>>,
): Value | undefined {
  const found: { name: string; value: Value }[] = []
  for (const [name, parse] of Object.entries(parsers)) {
    const value = body[name]
    if (value !== undefined) found.push({ name, value: parse(value, name) })
  }
  const [first, ...others] = found
  const other = others.find(({ value }) => value !== first?.value)
  if (first !== undefined && other !== undefined)
    throw refusal(`${first.name} and ${other.name} contradict each other.`)
  return first?.value
}

export const parseText: FieldParser<string> = (value, name) => {
  if (typeof value !== 'string') throw refusal(`${name} must be a text.`)
  return value
}

export const parseOptionalText: FieldParser<string | null> = (value, name) =>
  value === null ? null : parseText(value, name)

export const parseFlag: FieldParser<boolean> = (value, name) => {
  if (typeof value !== 'boolean') throw refusal(`${name} must be true or false.`)
  return value
}

export const parseOptionalUsd: FieldParser<NanoUsd | null> = (value, name) => {
  if (value === null) return null
  const amount = typeof value === 'number' ? usdOfNumber(value) : undefined
  if (amount === undefined)
    throw refusal(`${name} must be a number of USD with at most nine decimals, or null for no limit.`)
  return amount
}

export const parseOptionalPeriod: FieldParser<SpendPeriod | null> = (value, name) => {
  if (value === null) return null
  const period = typeof value === 'string' ? parseSpendPeriod(value) : undefined
  if (period === undefined)
    throw refusal(
      `${name} must be one of ${spendPeriods.join(', ')}, daily, weekly, monthly, or null for the whole life.`,
    )
  return period
}

export const parseOptionalMoment: FieldParser<number | null> = (value, name) => {
  if (value === null) return null
  const moment = typeof value === 'string' ? parseIsoMoment(value) : undefined
  if (moment === undefined)
    throw refusal(`${name} must be a moment in ISO 8601 such as 2027-01-31T00:00:00Z, or null for never.`)
  return moment
}

/** What each entry may be is judged with the rest of the key. */
export function parseTexts(value: JsonValue, name: string): string[] {
  if (!Array.isArray(value)) throw refusal(`${name} must be a list of texts; an empty list clears it.`)
  return value.map((entry, position) => parseText(entry, `${name}[${position}]`))
}

function refusal(message: string): GatewayError {
  return new GatewayError('malformedRequest', { message })
}
