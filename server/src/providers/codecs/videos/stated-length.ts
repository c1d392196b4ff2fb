/** How long a host says that something is, in milliseconds; undefined for what cannot be a length. */
export function statedMs(seconds: unknown): number | undefined {
  const stated = typeof seconds === 'string' && seconds !== '' ? Number(seconds) : seconds
  if (typeof stated !== 'number' || !(stated > 0) || stated > secondsMax) return undefined
  return Math.max(1, Math.round(stated * 1_000))
}

// No provider makes videos of an hour, so a larger figure is a fault and not to be charged.
const secondsMax = 3_600
