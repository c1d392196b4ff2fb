import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'

/** The driver reads a `bigint` column as text, because a JavaScript number holds only 53 bits of it. */
export function readNano(column: string): NanoUsd {
  return nanoUsd(BigInt(column))
}

export function readNullableNano(column: string | null): NanoUsd | null {
  return column === null ? null : readNano(column)
}
