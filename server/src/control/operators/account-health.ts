import type { JsonObject } from '#lib/json.ts'
import type { AccountCircuits } from '#ports/circuits.ts'
import type { ProviderAccountListing } from '#ports/operators.ts'

/**
 * The health of an account. `failing` means that a gateway has an open circuit and does not route those models to it.
 */
export type AccountHealth =
  | { readonly state: 'ok' }
  | ({ readonly state: 'failing' } & Omit<AccountCircuits, 'accountId'>)

export function healthOf(
  { id }: Pick<ProviderAccountListing, 'id'>,
  circuits: readonly AccountCircuits[],
): AccountHealth {
  const found = circuits.find(({ accountId }) => accountId === id)
  if (found === undefined) return { state: 'ok' }
  const { accountId: _id, ...failing } = found
  return { state: 'failing', ...failing }
}

export function renderHealth(health: AccountHealth): JsonObject {
  if (health.state === 'ok') return { state: 'ok' }
  const { state, models, gateways, reason, openedAtMs } = health
  return { state, models: [...models], gateways, reason, since: new Date(openedAtMs).toISOString() }
}
