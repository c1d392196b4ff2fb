/** Refuses our own bugs. Clients' mistakes are refused with GatewayError instead. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`)
}
