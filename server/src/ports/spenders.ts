import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Who the sums of an organization's usage belong to. */
export interface Spenders {
  /** The one that pays for all of it; null: no such organization. */
  findWallet(organizationId: Uuid): Promise<Uuid | null>
  /** Those that there are, by name. */
  listTeams(organizationId: Uuid): Promise<readonly SpendingTeam[]>
  /** Those that there are, in the order they joined; then those of `mentioned` who have left, as far as they are known. */
  listMembers(query: { organizationId: Uuid; mentioned: readonly Uuid[] }): Promise<readonly SpendingMember[]>
}

export interface SpendingTeam {
  readonly id: Uuid
  readonly name: string
  readonly costCenterCode: string | null
  readonly monthlyBudget: NanoUsd | null
  readonly createdAtMs: number
}

export interface SpendingMember {
  readonly id: Uuid
  readonly user: { readonly id: Uuid; readonly name: string; readonly email: string }
  readonly team: { readonly id: Uuid; readonly name: string } | null
  readonly monthlyBudget: NanoUsd | null
  /** Null: has left. */
  readonly joinedAtMs: number | null
}
