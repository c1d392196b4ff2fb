import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { usdOfNumber } from '#domain/money/usd-of-number.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'

// A billion dollars: whoever means more leaves the budget out, and sums of it still fit what Postgres calculates with.
const budgetMax = nanoUsd(1_000_000_000_000_000_000n)

/** A budget is a number of USD, or null for none. Undefined: the field is not there. */
export function readBudgetField(body: JsonObject, field: string): NanoUsd | null | undefined {
  const value = body[field]
  if (value === undefined || value === null) return value
  const budget = typeof value === 'number' ? usdOfNumber(value) : undefined
  if (budget === undefined || budget < 0n || budget > budgetMax) {
    throw malformed(`${field} must be null or a number of USD from 0 to 1000000000, with at most nine decimals.`)
  }
  return budget
}

/** A text that says something, without spaces around it. Undefined: the field is not there. */
export function readNameField(body: JsonObject, field: string, lengthMax: number): string | undefined {
  const value = body[field]
  if (value === undefined) return undefined
  const name = typeof value === 'string' ? value.normalize('NFC').trim() : ''
  if (name === '' || name.length > lengthMax || !isPlain(name) || !isVisible(name)) {
    throw malformed(`${field} must be a text of 1 to ${lengthMax} characters that can be seen.`)
  }
  return name
}

/** A text that may also be taken away: null, and a text of spaces alone, mean none. Undefined: the field is not there. */
export function readNoteField(body: JsonObject, field: string, lengthMax: number): string | null | undefined {
  const value = body[field]
  if (value === undefined || value === null) return value
  const note = typeof value === 'string' ? value.normalize('NFC').trim() : undefined
  if (note === undefined || note.length > lengthMax || !isPlain(note.replace(/[\t\r\n]/g, ' '))) {
    throw malformed(`${field} must be null or a text of at most ${lengthMax} characters.`)
  }
  return note === '' ? null : note
}

export function malformed(message: string): GatewayError {
  return new GatewayError('malformedRequest', { message })
}

// Control characters would come out again in tables and headers, and those that turn the direction of writing would turn
// what stands beside the text; half a surrogate pair is no text at all.
function isPlain(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(text)
}

// A name that nobody sees can not be told from another.
function isVisible(text: string): boolean {
  return /[^\p{Cf}\p{Z}\p{M}]/u.test(text)
}
