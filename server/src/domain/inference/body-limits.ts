/**
 * What the body of a request may hold. 100,000 values and names take `JSON.parse` 40 ms at worst, which is when all
 * names differ.
 */
export const bodyLimits = {
  bytesMax: 10 * 1_024 * 1_024,
  depthMax: 64,
  nodesMax: 100_000,
  numbersMax: 100_000,
  namesMax: 10_000,
} as const
