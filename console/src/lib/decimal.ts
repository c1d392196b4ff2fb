/**
 * An exact decimal: `digits` × 10^-`scale`. Unit prices have up to 18 decimals; seconds and megapixels can have
 * decimals too.
 */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

const form = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

export function parseDecimal(value: number | string): Decimal {
  const [, sign = '', whole, fraction = '', exponent = '0'] = form.exec(String(value)) ?? []
  if (whole === undefined) throw new Error(`Invalid decimal: ${value}`)
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(sign + whole + fraction)
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

export function multiply(one: Decimal, other: Decimal): Decimal {
  return { digits: one.digits * other.digits, scale: one.scale + other.scale }
}

export function add(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale)
  return { digits: atScale(one, scale) + atScale(other, scale), scale }
}

/** Converts USD to nano-USD, rounded up once. */
export function ceilToNano(usd: Decimal): bigint {
  if (usd.scale <= 9) return atScale(usd, 9)
  const divisor = 10n ** BigInt(usd.scale - 9)
  return usd.digits <= 0n ? usd.digits / divisor : (usd.digits + divisor - 1n) / divisor
}

/** Formats every digit, in groups of three after the point: `0.000 001 441`. It shows at least two decimals. */
export function formatDecimal({ digits, scale }: Decimal): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const whole = scale === 0 ? text : text.slice(0, -scale)
  const fraction = (scale === 0 ? '' : text.slice(-scale)).replace(/0+$/, '').padEnd(2, '0')
  return `${digits < 0n ? '−' : ''}${groupThousands(whole)}.${groupDecimals(fraction)}`
}

function atScale({ digits, scale }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale)
}

export function groupThousands(digits: string): string {
  return digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Inserts a narrow no-break space after every third decimal, as in 0.000 042. */
export function groupDecimals(digits: string): string {
  return digits.replaceAll(/(\d{3})(?=\d)/g, '$1\u202f')
}
