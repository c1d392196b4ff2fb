import type { ConversationDialect } from '#dialects/dialect.ts'
import type { Protocol } from '#providers/protocol.ts'
import type { VendorSpec } from '#providers/spec.ts'

/** Who speaks what: the caller's dialect, and the upstream's protocol with its host. */
export interface Pair {
  readonly dialect: ConversationDialect
  readonly protocol: Protocol
  readonly vendor: VendorSpec
}
