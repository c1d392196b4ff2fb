/**
 * Prices are decimal strings of any length, because the price of one token may be smaller than a nano-dollar. They are
 * never doubles.
 */
const scaleDigits = 18

/** A price in units of 10⁻¹⁸ USD, for comparing and sorting. */
export function priceUnits(usd: string): bigint {
  const match = /^(\d+)(?:\.(\d{1,18}))?$/.exec(usd)
  if (match === null) throw new Error(`Invalid price: ${usd}`)
  const [, whole = '0', fraction = ''] = match
  return BigInt(whole + fraction.padEnd(scaleDigits, '0'))
}

/** Formats a price with every digit: `$1.75`, `$0.000 042`. */
export function formatPrice(usd: string): string {
  const [whole = '0', fraction = ''] = usd.split('.')
  const digits = fraction.replace(/0+$/, '')
  const decimals = digits.length <= 2 ? digits.padEnd(2, '0') : digits.replaceAll(/(\d{3})(?=\d)/g, '$1\u202f')
  return `$${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')}.${decimals}`
}
