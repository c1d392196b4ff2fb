import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** A group of members with a budget of its own. */
export interface Team {
  readonly id: Uuid
  readonly organizationId: Uuid
  /** Unique in the organization, whatever the case of its letters. */
  readonly name: string
  readonly description: string | null
  readonly costCenterCode: string | null
  readonly permissionScope: string | null
  readonly monthlyBudget: NanoUsd | null
}

export interface TeamListing extends Team {
  readonly memberCount: number
  readonly spentThisMonth: NanoUsd
  readonly createdAtMs: number
  readonly updatedAtMs: number
}
