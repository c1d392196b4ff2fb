import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'

/** The driver reads a `bigint` column as text, because a JavaScript number holds only 53 bits of it. */
export function readNano(column: string): NanoUsd {
  return nanoUsd(BigInt(column))
}

export function readNullableNano(column: string | null): NanoUsd | null {
  return column === null ? null : readNano(column)
}

/**
 * A Postgres array written as text. `pg` would quote and escape every element; ids, numbers and the names of our own
 * scopes need neither, and joining them costs a tenth.
 */
export function arrayLiteral(elements: readonly (string | number | bigint)[]): string {
  return `{${elements.join(',')}}`
}
