import { scanJson } from './json-scan.ts'

// A scan ends at its first breach, so every limit except the depth is off.
const unbounded = {
  nodesMax: Number.POSITIVE_INFINITY,
  numbersMax: Number.POSITIVE_INFINITY,
  namesMax: Number.POSITIVE_INFINITY,
  forbidsProto: false,
}

/**
 * Whether JSON text nests deeper than a limit, without parsing it: ten megabytes of `[` would keep `JSON.parse` busy
 * for seconds. The result for malformed text is arbitrary; the parser rejects it afterwards.
 */
export function isNestedDeeperThan(bytes: Buffer, limit: number): boolean {
  const verdict = scanJson(bytes, { ...unbounded, depthMax: limit })
  return !verdict.allowed && verdict.breach === 'depth'
}
