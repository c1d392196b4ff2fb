/** The length that an upstream reports, in milliseconds. Undefined for an invalid value. */
export function statedMs(seconds: unknown): number | undefined {
  const stated = typeof seconds === 'string' && seconds !== '' ? Number(seconds) : seconds
  if (typeof stated !== 'number' || !(stated > 0) || stated > secondsMax) return undefined
  return Math.max(1, Math.round(stated * 1_000))
}

// No provider creates videos of an hour, so a larger value is an error and must not be charged.
const secondsMax = 3_600
