import { parseSpendPeriod, resetNameOf, type SpendPeriod, spendPeriods } from '#domain/limits/spend-period.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { usdOf } from '#domain/money/usd-of.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { parseIsoMoment } from '#lib/parse-iso-moment.ts'

/** Parses the value of a field; errors name the field. */
export type FieldParser<Value> = (value: JsonValue | undefined, name: string) => Value

/** Reads a field that has several names. If a body contains more than one of them, their values must be equal. */
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
    throw malformed(`${first.name} and ${other.name} have different values. Send only one.`)
  return first?.value
}

export const parseText: FieldParser<string> = (value, name) => {
  if (typeof value !== 'string') throw malformed(`${name} must be a string.`)
  return value
}

export const parseOptionalText: FieldParser<string | null> = (value, name) =>
  value === null ? null : parseText(value, name)

export const parseFlag: FieldParser<boolean> = (value, name) => {
  if (typeof value !== 'boolean') throw malformed(`${name} must be true or false.`)
  return value
}

export const parseOptionalUsd: FieldParser<NanoUsd | null> = (value, name) => {
  if (value === null) return null
  const amount = usdOf(value)
  if (amount === undefined)
    throw malformed(`${name} must be a number in USD with at most nine decimals, or null for no limit.`)
  return amount
}

const periodSpellings = [...spendPeriods, ...spendPeriods.map(resetNameOf)].join(', ')

export const parseOptionalPeriod: FieldParser<SpendPeriod | null> = (value, name) => {
  if (value === null) return null
  const period = typeof value === 'string' ? parseSpendPeriod(value) : undefined
  if (period === undefined) throw malformed(`${name} must be one of ${periodSpellings}, or null for a lifetime limit.`)
  return period
}

export const parseOptionalMoment: FieldParser<number | null> = (value, name) => {
  if (value === null) return null
  const moment = typeof value === 'string' ? parseIsoMoment(value) : undefined
  if (moment === undefined)
    throw malformed(`${name} must be an ISO 8601 timestamp such as 2027-01-31T00:00:00Z, or null for no expiry.`)
  return moment
}

/** The entries are validated with the rest of the key. */
export function parseTexts(value: JsonValue | undefined, name: string): string[] {
  if (!Array.isArray(value)) throw malformed(`${name} must be an array of strings; send an empty array to clear it.`)
  return value.map((entry, position) => parseText(entry, `${name}[${position}]`))
}

// A billion dollars. For an unlimited budget, leave it out. Its sums still fit a Postgres bigint.
const budgetMax = nanoUsd(1_000_000_000_000_000_000n)

/** Reads a budget: a number of USD, or null for none. Undefined if the field is missing. */
export function readBudgetField(body: JsonObject, field: string): NanoUsd | null | undefined {
  const value = body[field]
  if (value === undefined || value === null) return value
  const budget = usdOf(value)
  if (budget === undefined || budget < 0n || budget > budgetMax) {
    throw malformed(`${field} must be null or a number in USD from 0 to 1000000000, with at most nine decimals.`)
  }
  return budget
}

/** Reads a string that is not blank, trimmed. Undefined if the field is missing. */
export function readNameField(body: JsonObject, field: string, lengthMax: number): string | undefined {
  const value = body[field]
  if (value === undefined) return undefined
  const name = typeof value === 'string' ? value.normalize('NFC').trim() : ''
  if (name === '' || name.length > lengthMax || !isPlain(name) || !isVisible(name)) {
    throw malformed(`${field} must be a string of 1 to ${lengthMax} visible characters.`)
  }
  return name
}

// A month, as long as the longest setting of the operator.
const ttlSecondsMax = 2_592_000

/** How long answers are kept, in seconds. Undefined if missing. */
export function readTtlField(
  { cacheTtlSeconds: ttl }: JsonObject,
  { least }: { least: number },
): number | null | undefined {
  if (ttl === undefined || ttl === null) return ttl
  if (typeof ttl === 'number' && Number.isInteger(ttl) && ttl >= least && ttl <= ttlSecondsMax) return ttl
  throw malformed(`cacheTtlSeconds must be an integer from ${least} to ${ttlSecondsMax}, or null.`)
}

/** Reads a string that can be cleared: null or a blank string means none. Undefined if the field is missing. */
export function readNoteField(body: JsonObject, field: string, lengthMax: number): string | null | undefined {
  const value = body[field]
  if (value === undefined || value === null) return value
  const note = typeof value === 'string' ? value.normalize('NFC').trim() : undefined
  if (note === undefined || note.length > lengthMax || !isPlain(note.replace(/[\t\r\n]/g, ' '))) {
    throw malformed(`${field} must be null or a string of at most ${lengthMax} characters.`)
  }
  return note === '' ? null : note
}

// Control characters would reappear in tables and headers, bidirectional controls would reverse neighboring text, and a
// lone surrogate is invalid Unicode.
function isPlain(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(text)
}

// A name without a visible character cannot be distinguished from another.
function isVisible(text: string): boolean {
  return /[^\p{Cf}\p{Z}\p{M}]/u.test(text)
}

/** Reads typed fields of a body. Undefined if the field is missing. */
export interface FieldReader {
  text(field: string): string | undefined
  requiredText(field: string): string
  /** Null if the field is null. */
  nullableText(field: string): string | null | undefined
  flag(field: string): boolean | undefined
  nullableFlag(field: string): boolean | null | undefined
  whole(field: string): number | undefined
}

export function createFieldReader(body: JsonObject): FieldReader {
  const text = (field: string): string | undefined => readField(body, { [field]: parseText })
  const flag = (field: string): boolean | undefined => readField(body, { [field]: parseFlag })
  return {
    text,
    flag,
    requiredText: (field) => {
      const value = text(field)
      if (value === undefined) throw new GatewayError('missingRequiredField', { message: `${field} is required.` })
      return value
    },
    nullableText: (field) => (body[field] === null ? null : text(field)),
    nullableFlag: (field) => (body[field] === null ? null : flag(field)),
    whole: (field) => {
      const value = body[field]
      if (value === undefined || (typeof value === 'number' && Number.isInteger(value))) return value
      throw malformed(`${field} must be an integer.`)
    },
  }
}
