import type { BreakerSettings } from '#domain/access/breaker.ts'
import type { Role } from '#domain/access/roles.ts'
import { type NanoUsd, nullableUsdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'

/** A user's membership in an organization. */
export interface Member {
  readonly id: Uuid
  readonly userId: Uuid
  readonly role: Role
  readonly teamId: Uuid | null
  readonly monthlyBudget: NanoUsd | null
  /** Whether the person and their keys have no access to the organization. */
  readonly suspended: boolean
}

/** A member's values for the audit log. */
export function memberValues(member: Member): JsonObject {
  return {
    userId: member.userId,
    role: member.role,
    teamId: member.teamId,
    monthlyBudget: nullableUsdJson(member.monthlyBudget),
    suspended: member.suspended,
  }
}

export interface MemberListing {
  readonly suspended: boolean
  readonly id: Uuid
  readonly user: { readonly id: Uuid; readonly name: string; readonly email: string }
  readonly team: { readonly id: Uuid; readonly name: string } | null
  readonly role: Role
  readonly joinedAtMs: number
  readonly monthlyBudget: NanoUsd | null
  readonly spentThisMonth: NanoUsd
  /** On hold in the monthly budget. Zero without a budget, because nothing is counted then. */
  readonly heldThisMonth: NanoUsd
  /** Its own settings. A null field is inherited. */
  readonly breaker: BreakerSettings
  /** Keys that end with the membership. */
  readonly keyCount: number
}
