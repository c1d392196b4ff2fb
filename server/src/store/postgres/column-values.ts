import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'

/** The driver reads a `bigint` column as a string, because a JavaScript number holds only 53 bits of it. */
export function readNano(column: string): NanoUsd {
  return nanoUsd(BigInt(column))
}

export function readNullableNano(column: string | null): NanoUsd | null {
  return column === null ? null : readNano(column)
}

/**
 * A Postgres array as text. `pg` would quote and escape every element. Ids, numbers and the names of our scopes need
 * neither, and joining them costs a tenth.
 */
export function arrayLiteral(elements: readonly (string | number | bigint)[]): string {
  return `{${elements.join(',')}}`
}

const integerMax = 2_147_483_647

/** A time span for an `integer` column. A clock that jumped makes spans negative or longer than the column can hold. */
export function storableMs(spanMs: number): number {
  return Math.min(Math.max(0, spanMs), integerMax)
}
