import type { Span } from '#domain/tracing/span.ts'
import { GatewayError } from '#errors/gateway-error.ts'

/** Names the error of a span. A request that was refused for its client's fault is no failure of the gateway's. */
export function noteError(span: Span, error: unknown): void {
  if (error instanceof GatewayError) span.fail(error.errorName, { isOurs: error.row.status >= 500 })
  else span.fail('internal', { isOurs: true })
}
