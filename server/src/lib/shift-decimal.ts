const form = /^(\d{1,30})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,2}))?$/

/** The number of significant digits of a double. Programs that calculate in doubles print noise after them. */
const digitsMax = 15

/**
 * Shifts a decimal text, possibly in exponent form, by this many places: `shiftDecimal('1.5', -6)` is `0.0000015`.
 * Digits beyond the fifteenth are rounded half up. Undefined if the text is not a non-negative decimal.
 */
export function shiftDecimal(text: string, places: number): string | undefined {
  const [, whole, decimals = '', exponent = '0'] = form.exec(text) ?? []
  if (whole === undefined) return undefined
  const { digits, dropped } = significant(BigInt(whole + decimals).toString())
  const point = dropped - decimals.length + Number(exponent) + places
  return place(digits, point)
}

function significant(digits: string): { digits: bigint; dropped: number } {
  const dropped = Math.max(0, digits.length - digitsMax)
  if (dropped === 0) return { digits: BigInt(digits), dropped }
  const unit = 10n ** BigInt(dropped)
  return { digits: (BigInt(digits) + unit / 2n) / unit, dropped }
}

/** The digits with the decimal point moved this many places to the right, or to the left if negative. */
function place(digits: bigint, point: number): string {
  if (digits === 0n) return '0'
  if (point >= 0) return `${digits}${'0'.repeat(point)}`
  const text = digits.toString().padStart(1 - point, '0')
  const decimals = text.slice(point).replace(/0+$/, '')
  const whole = text.slice(0, point)
  return decimals === '' ? whole : `${whole}.${decimals}`
}
