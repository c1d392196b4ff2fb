/**
 * A price for one unit (token, character, second, image), exactly. Catalogues quote single tokens down to 10^-12 USD;
 * 10^-18 leaves room and still multiplies in plain bigints.
 */
declare const unitPriceBrand: unique symbol
export type UnitPrice = bigint & { readonly [unitPriceBrand]: true }

const scale = 18
// As many digits as the largest JSON number; more would take long to parse.
const decimalForm = /^(\d{1,309})(?:\.(\d+))?$/

export function parseUnitPrice(text: string): UnitPrice {
  const [, whole, decimals = ''] = decimalForm.exec(text) ?? []
  if (whole === undefined || decimals.length > scale) throw new RangeError(`not a unit price: ${text}`)
  return (BigInt(whole) * 10n ** BigInt(scale) + BigInt(decimals.padEnd(scale, '0'))) as UnitPrice
}

/** Changes a price in the same proportion as another, rounded up. */
export function inProportion(price: UnitPrice, { from, to }: { from: UnitPrice; to: UnitPrice }): UnitPrice {
  return ((price * to + from - 1n) / from) as UnitPrice
}

export function formatUnitPrice(price: bigint): string {
  return decimal(price, scale)
}

/** Listings quote prices per million tokens. A separate string type, so that the two units cannot be mixed up. */
declare const perMillionBrand: unique symbol
type UsdPerMillion = string & { readonly [perMillionBrand]: true }

export function perMillion(price: UnitPrice): UsdPerMillion {
  return decimal(price, scale - 6) as UsdPerMillion
}

/** The price of one token in a listing. */
export function parsePerMillion(text: string): UnitPrice {
  const [, whole, decimals = ''] = decimalForm.exec(text) ?? []
  if (whole === undefined || decimals.length > scale - 6) throw new RangeError(`not a price per million: ${text}`)
  return BigInt(whole + decimals.padEnd(scale - 6, '0')) as UnitPrice
}

function decimal(amount: bigint, decimalCount: number): string {
  const digits = amount.toString().padStart(decimalCount + 1, '0')
  const decimals = digits.slice(-decimalCount).replace(/0+$/, '')
  const whole = digits.slice(0, -decimalCount)
  return decimals === '' ? whole : `${whole}.${decimals}`
}
