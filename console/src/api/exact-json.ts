import type { DecimalText, ExactNumber } from '../lib/money.ts'

/** The type of a response after `parseExact`: every number may be its source text. */
export type Exact<T> = T extends number ? ExactNumber : T extends object ? { [Key in keyof T]: Exact<T[Key]> } : T

type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown

// TypeScript does not know the third argument of a reviver yet; browsers have supported it since 2025.
const parse = JSON.parse as (text: string, reviver: SourceReviver) => unknown

/** Parses JSON without converting amounts to doubles: a number that is not a safe integer stays a string. */
export function parseExact(text: string): unknown {
  return parse(text, (_key, value, { source }) => {
    if (typeof value !== 'number') return value
    if (source === undefined) throw new Error('Your browser is too old to read exact amounts. Update it and try again.')
    return Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? value : (source as DecimalText)
  })
}
