import { type NanoUsd, nanoPerUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { plainDecimal } from '#lib/plain-decimal.ts'

const form = /^(\d{1,9})(?:\.(\d{1,18}))?$/

/** The most that a request may cost: the smaller of the header and the field. Null if the client sends neither. */
export function readMaxCost(header: string | undefined, body: JsonObject): NanoUsd | null {
  const inBody = body['max_cost_usd'] ?? null
  const fromBody = inBody === null ? null : amountOf(inBody, '`max_cost_usd`')
  const fromHeader = header === undefined ? null : amountOf(header.trim(), 'The X-Weir-Max-Cost header')
  if (fromBody === null || fromHeader === null) return fromBody ?? fromHeader
  return fromBody < fromHeader ? fromBody : fromHeader
}

/** Rounded down to a nano-dollar, so that a request never costs more than its client allows. */
function amountOf(value: JsonValue, place: string): NanoUsd {
  const text = typeof value === 'number' ? plainDecimal(value) : value
  const [, whole, decimals = ''] = (typeof text === 'string' && form.exec(text)) || []
  const amount = whole === undefined ? 0n : BigInt(whole) * nanoPerUsd + BigInt(decimals.slice(0, 9).padEnd(9, '0'))
  if (amount === 0n) throw malformed(`${place} must be an amount in USD above zero, such as 0.05.`)
  return nanoUsd(amount)
}
