// A number holds 53 bits exactly, and 13 hexadecimal digits have 52.
const digits = 13
const range = 2 ** (digits * 4)

/**
 * Samples a share of all traces by the random end of their ids, as OpenTelemetry's consistent sampling does: every
 * process, and every other system with the same share, selects the same traces.
 */
export function createSampleTrace(ratio: number): (traceId: string) => boolean {
  const threshold = (1 - ratio) * range
  return (traceId) => Number.parseInt(traceId.slice(-digits), 16) >= threshold
}
