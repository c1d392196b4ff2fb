/** Limits of a request body. `JSON.parse` takes at most 40 ms for 100,000 values and names, if all names differ. */
export const bodyLimits = {
  bytesMax: 10 * 1_024 * 1_024,
  depthMax: 64,
  nodesMax: 100_000,
  numbersMax: 100_000,
  namesMax: 10_000,
} as const
