/** The part of requests that failed, from 0 to 1 and with at most four decimals, which is a hundredth of a percent. */
export function errorRateOf({ failed, requests }: { failed: number; requests: number }): number {
  if (requests === 0) return 0
  const whole = BigInt(requests)
  // Half a unit is added before the rest is cut off, which rounds to the nearest.
  return Number((BigInt(failed) * 20_000n + whole) / (whole * 2n)) / 10_000
}
