/** Units of a currency per US dollar, as an integer number of hundred-millionths. */
declare const exchangeRateBrand: unique symbol
export type ExchangeRate = bigint & { readonly [exchangeRateBrand]: true }

export const rateScale = 100_000_000n

const form = /^(\d{1,9})(?:\.(\d{1,8}))?$/

/** Parses a decimal such as `7.2451`. Undefined unless it is above zero with at most eight decimals. */
export function parseRate(text: string): ExchangeRate | undefined {
  const [, whole, decimals = ''] = form.exec(text) ?? []
  if (whole === undefined) return undefined
  const rate = BigInt(whole) * rateScale + BigInt(decimals.padEnd(8, '0'))
  return rate > 0n ? (rate as ExchangeRate) : undefined
}

export function formatRate(rate: ExchangeRate): string {
  const decimals = (rate % rateScale).toString().padStart(8, '0').replace(/0+$/, '')
  return decimals === '' ? `${rate / rateScale}` : `${rate / rateScale}.${decimals}`
}
