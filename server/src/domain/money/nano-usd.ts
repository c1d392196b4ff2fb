import { rawJsonNumber } from '#lib/raw-json.ts'

/** Money: an integer number of nano-dollars. */
declare const nanoUsdBrand: unique symbol
export type NanoUsd = bigint & { readonly [nanoUsdBrand]: true }

export const nanoPerUsd = 1_000_000_000n

export function nanoUsd(amount: bigint): NanoUsd {
  return amount as NanoUsd
}

export const zeroUsd: NanoUsd = nanoUsd(0n)

// The largest JSON number has 309 digits. Parsing time grows faster than the number of digits: a hundred thousand take
// 100 ms.
const decimalForm = /^(-?)(\d{1,309})(?:\.(\d+))?$/

/** Parses a plain decimal such as `12.5`. More than nine decimals are rejected, never rounded. */
export function parseUsd(text: string): NanoUsd {
  const match = decimalForm.exec(text)
  const [, sign, whole, decimals = ''] = match ?? []
  if (whole === undefined || decimals.length > 9)
    throw new RangeError(`not an amount of USD with at most nine decimals: ${text}`)
  const amount = BigInt(whole) * nanoPerUsd + BigInt(decimals.padEnd(9, '0'))
  return nanoUsd(sign === '-' ? -amount : amount)
}

/** Formats a plain decimal without exponent or trailing zeros. */
export function formatUsd(amount: NanoUsd): string {
  const sign = amount < 0n ? '-' : ''
  const size = sign === '-' ? -amount : amount
  const digits = size.toString().padStart(10, '0')
  const whole = digits.slice(0, -9)
  const decimals = digits.slice(-9).replace(/0+$/, '')
  return decimals === '' ? sign + whole : `${sign}${whole}.${decimals}`
}

/** The amount as a JSON number with all its digits; `JSON.stringify` would write a small float as `1e-7`. */
export function usdJson(amount: NanoUsd): number {
  return rawJsonNumber(formatUsd(amount))
}

export function nullableUsdJson(amount: NanoUsd | null): number | null {
  return amount === null ? null : usdJson(amount)
}
