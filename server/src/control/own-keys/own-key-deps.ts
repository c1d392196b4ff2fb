import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import type { SealingKey } from '#lib/seal.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { Egress } from '#ports/outbound.ts'
import type { ListProviderModels, OwnKeyStore } from '#ports/own-keys.ts'

/** What the use cases of own keys need. */
export interface OwnKeyDeps {
  readonly store: OwnKeyStore
  readonly memberships: Memberships
  readonly egress: Egress
  readonly listModels: ListProviderModels
  readonly catalogue: () => Catalogue
  readonly sealingKey: SealingKey
  /** Takes up the change in this process at once; others follow within a second. */
  readonly changed: () => Promise<void>
}
