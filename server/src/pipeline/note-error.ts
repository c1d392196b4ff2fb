import type { Span } from '#domain/tracing/span.ts'
import { GatewayError } from '#errors/gateway-error.ts'

/** Names the error of a span. A request that was rejected for its client's fault is not a failure of the gateway. */
export function noteError(span: Span, error: unknown): void {
  if (error instanceof GatewayError) span.fail(error.errorName, { isOurs: error.row.status >= 500 })
  else span.fail('internal', { isOurs: true })
}
