/** A payment amount: an integer number of the smallest unit of its currency, such as cents. */
declare const minorBrand: unique symbol
export type Minor = bigint & { readonly [minorBrand]: true }

export function minor(amount: bigint): Minor {
  return amount as Minor
}

export const zeroMinor: Minor = minor(0n)

/**
 * Currencies that a card can be charged in, with the number of decimals of their smallest unit (ISO 4217, as Stripe
 * counts them).
 */
export const currencyDecimals = {
  aed: 2,
  ars: 2,
  aud: 2,
  bdt: 2,
  bgn: 2,
  bhd: 3,
  brl: 2,
  cad: 2,
  chf: 2,
  clp: 0,
  cny: 2,
  cop: 2,
  czk: 2,
  dkk: 2,
  egp: 2,
  eur: 2,
  gbp: 2,
  hkd: 2,
  huf: 2,
  idr: 2,
  ils: 2,
  inr: 2,
  jod: 3,
  jpy: 0,
  kes: 2,
  krw: 0,
  kwd: 3,
  kzt: 2,
  lkr: 2,
  mad: 2,
  mxn: 2,
  myr: 2,
  ngn: 2,
  nok: 2,
  nzd: 2,
  omr: 3,
  pen: 2,
  php: 2,
  pkr: 2,
  pln: 2,
  pyg: 0,
  qar: 2,
  ron: 2,
  rsd: 2,
  sar: 2,
  sek: 2,
  sgd: 2,
  thb: 2,
  tnd: 3,
  try: 2,
  twd: 2,
  uah: 2,
  usd: 2,
  vnd: 0,
  xaf: 0,
  xof: 0,
  zar: 2,
} as const satisfies Readonly<Record<string, 0 | 2 | 3>>

export type Currency = keyof typeof currencyDecimals

export function isCurrency(text: string): text is Currency {
  return Object.hasOwn(currencyDecimals, text)
}

/** For example `12.34 USD` or `1200 JPY`. */
export function formatMinor(amount: Minor, currency: Currency): string {
  return `${decimalOf(amount, currency)} ${currency.toUpperCase()}`
}

/** The amount as a plain decimal with all decimals of its currency, such as `12.30`. */
export function decimalOf(amount: Minor, currency: Currency): string {
  const decimals = currencyDecimals[currency]
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  if (decimals === 0) return sign + digits
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Parses a decimal with at most as many decimals as the currency has. Undefined if it is invalid. */
export function parseMinor(text: string, currency: Currency): Minor | undefined {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,3}))?$/.exec(text) ?? []
  const places = currencyDecimals[currency]
  // Trailing zeros do not matter.
  const digits = decimals.replace(/0+$/, '')
  if (whole === undefined || digits.length > places) return undefined
  return minor(BigInt(whole) * 10n ** BigInt(places) + BigInt(digits.padEnd(places, '0') || '0'))
}
