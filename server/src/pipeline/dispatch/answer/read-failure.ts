import type { DialectCall } from '#dialects/dialect.ts'
import type { Protocol } from '#providers/protocol.ts'
import { protocolOf } from '#providers/protocols.ts'
import type { VendorSpec } from '#providers/spec.ts'

/**
 * Reads an upstream's rejection: the vendor's codec for speech, which may have its own format, and its protocol for
 * everything else.
 */
export function failureReaderOf({ media }: Pick<DialectCall, 'media'>, vendor: VendorSpec): Protocol['readFailure'] {
  const speech = media === undefined ? undefined : vendor.media?.speech
  return speech?.readFailure ?? protocolOf(vendor).readFailure
}
