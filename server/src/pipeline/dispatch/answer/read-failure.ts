import type { DialectCall } from '#dialects/dialect.ts'
import type { Protocol } from '#providers/protocol.ts'
import { protocolOf } from '#providers/protocols.ts'
import type { VendorSpec } from '#providers/spec.ts'

/**
 * Reads an upstream's refusal: of speech by the vendor's codec, which may do so in its own way, of all else by its
 * protocol.
 */
export function failureReaderOf({ media }: Pick<DialectCall, 'media'>, vendor: VendorSpec): Protocol['readFailure'] {
  const speech = media === undefined ? undefined : vendor.media?.speech
  return speech?.readFailure ?? protocolOf(vendor).readFailure
}
