/**
 * Parses a number or string as billionths of a dollar. Fails on a fraction, because rounding would hide a difference.
 */
export function wholeAmount(value: unknown): bigint {
  const text = typeof value === 'number' ? value.toFixed(3) : value
  const [, whole] = (typeof text === 'string' && /^(-?\d+)(?:\.0+)?$/.exec(text)) || []
  if (whole === undefined) throw new Error(`the sum ${JSON.stringify(value)} is not a whole number`)
  return BigInt(whole)
}
