/** Throws on our own bugs. Errors of clients are rejected with GatewayError instead. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`)
}
