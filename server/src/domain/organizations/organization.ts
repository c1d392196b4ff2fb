import type { Role } from '#domain/access/roles.ts'
import { type NanoUsd, nanoUsd, nullableUsdJson, usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'

export const billingModes = ['prepaid', 'monthly'] as const
export type BillingMode = (typeof billingModes)[number]

/** Not org_admin: a default must not give administrators, and team_admin needs a team. */
export const organizationDefaultRoles = ['member', 'billing_viewer'] as const satisfies readonly Role[]
export type OrganizationDefaultRole = (typeof organizationDefaultRoles)[number]

/** An organization and its terms. A null budget or number of seats means no limit. */
export interface Organization {
  readonly id: Uuid
  readonly name: string
  readonly slug: string
  readonly plan: string
  readonly billing: BillingMode
  /** How far the wallet may go below zero; zero for prepaid. */
  readonly creditLine: NanoUsd
  readonly seats: number | null
  readonly settings: JsonObject
  /** Time that answers of its keys stay cached. Null turns the cache off. */
  readonly cacheTtlSeconds: number | null
  readonly suspended: boolean
  readonly weeklyBudget: NanoUsd | null
  readonly monthlyBudget: NanoUsd | null
  /** How many API keys each member may create. Zero: only administrators create keys. */
  readonly memberKeysMax: number
  /** The role of new members for whom no other role is given. */
  readonly defaultRole: OrganizationDefaultRole
  /** The monthly budget of new members for whom no other budget is given. */
  readonly defaultMonthlyBudget: NanoUsd | null
  readonly createdAtMs: number
}

/** An organization's values for the audit log. */
export function organizationValues(organization: Organization): JsonObject {
  return {
    name: organization.name,
    slug: organization.slug,
    plan: organization.plan,
    billingMode: organization.billing,
    creditLine: usdJson(organization.creditLine),
    seats: organization.seats,
    settings: organization.settings,
    cacheTtlSeconds: organization.cacheTtlSeconds,
    suspended: organization.suspended,
    weeklyBudget: nullableUsdJson(organization.weeklyBudget),
    monthlyBudget: nullableUsdJson(organization.monthlyBudget),
    memberKeysMax: organization.memberKeysMax,
    defaultRole: organization.defaultRole,
    defaultMonthlyBudget: nullableUsdJson(organization.defaultMonthlyBudget),
  }
}

/** An organization with its wallet and counts. */
export interface OrganizationListing extends Organization {
  readonly walletId: Uuid
  readonly balance: NanoUsd
  readonly teamCount: number
  readonly memberCount: number
}

/** An organization as one of its members sees it. */
export interface JoinedOrganization extends OrganizationListing {
  readonly role: Role
  readonly joinedAtMs: number
  /** How many API keys the member may create: the limit of their team, or else of the organization. */
  readonly ownKeysMax: number
}

interface WindowSpend {
  readonly spent: NanoUsd
  /** On hold in the budget. Zero without a budget, because nothing is counted then. */
  readonly held: NanoUsd
}

/** The current week and month of an organization. */
export interface OrganizationSpend {
  readonly week: WindowSpend
  readonly month: WindowSpend
}

/** Bounds that keep every list response reasonably small. */
export const teamsMax = 1_000
export const membersMax = 10_000
export const memberKeysLimit = 100

type BillingVerdict = { readonly allowed: true } | { readonly allowed: false; readonly message: string }

// A billion dollars: a larger credit line is likely a typo, and balances with it still fit a Postgres bigint.
const creditLineMax = nanoUsd(1_000_000_000_000_000_000n)

/** An organization with monthly billing needs a credit line; a prepaid one has none. */
export function judgeBilling({ billing, creditLine }: { billing: BillingMode; creditLine: NanoUsd }): BillingVerdict {
  if (billing === 'prepaid') {
    if (creditLine === 0n) return { allowed: true }
    return { allowed: false, message: 'A credit line requires monthly billing.' }
  }
  if (creditLine > 0n && creditLine <= creditLineMax) return { allowed: true }
  return { allowed: false, message: 'Monthly billing requires a credit line above zero and at most 1000000000 USD.' }
}
