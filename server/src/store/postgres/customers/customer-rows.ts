import type { KeyType } from '#domain/access/principal.ts'
import type { Role } from '#domain/access/roles.ts'
import type { BillingMode } from '#domain/organizations/organization.ts'
import type { Customer, CustomerKey, CustomerNote, CustomerSignIn, CustomerTerms } from '#ports/customers.ts'
import { readNullableNano } from '../column-values.ts'
import { type CustomerRow, listingOf } from './list-customers.sql.ts'

/** The rows of one customer's parts. */
export interface CustomerPartRows {
  readonly facts: FactRow
  readonly keys: readonly KeyRow[]
  readonly places: readonly PlaceRow[]
  readonly notes: readonly NoteRow[]
}

interface FactRow {
  breaker_enabled: boolean | null
  breaker_minute_nano: string | null
  breaker_hour_nano: string | null
  email_verified?: boolean
  ways?: string[]
  passkeys?: number
  second_factor?: boolean
  sessions?: number
  last_seen_at?: Date | null
  plan?: string
  billing_mode?: BillingMode
  seats?: number | null
  weekly_budget_nano?: string | null
  monthly_budget_nano?: string | null
}

interface KeyRow {
  id: string
  name: string
  shown: string
  type: KeyType
  enabled: boolean
  spend_limit_nano: string | null
  spend_limit_period: string | null
  expires_at: Date | null
  revoked_at: Date | null
  created_at: Date
  total: number
}

interface PlaceRow {
  id: string
  name: string | null
  role: Role
  suspended: boolean
  total: number
}

export interface NoteRow {
  id: string
  text: string
  author: string | null
  created_at: Date
}

export function customerOf(row: CustomerRow, { facts, keys, places, notes }: CustomerPartRows): Customer {
  return {
    ...listingOf(row),
    signIn: row.kind === 'user' ? signInOf(facts) : null,
    terms: row.kind === 'organization' ? termsOf(facts) : null,
    breaker: {
      enabled: facts.breaker_enabled ?? null,
      minute: readNullableNano(facts.breaker_minute_nano ?? null),
      hour: readNullableNano(facts.breaker_hour_nano ?? null),
    },
    keys: keys.map(keyOf),
    keyCount: keys[0]?.total ?? 0,
    places: places.map(({ total: _total, ...place }) => place),
    placeCount: places[0]?.total ?? 0,
    notes: notes.map(noteOf),
  }
}

function signInOf(facts: FactRow): CustomerSignIn {
  return {
    emailVerified: facts.email_verified ?? false,
    ways: facts.ways ?? [],
    passkeys: facts.passkeys ?? 0,
    secondFactor: facts.second_factor ?? false,
    sessions: facts.sessions ?? 0,
    lastSeenAtMs: facts.last_seen_at?.getTime() ?? null,
  }
}

function termsOf(facts: FactRow): CustomerTerms {
  return {
    plan: facts.plan ?? '',
    billing: facts.billing_mode ?? 'prepaid',
    seats: facts.seats ?? null,
    weeklyBudget: readNullableNano(facts.weekly_budget_nano ?? null),
    monthlyBudget: readNullableNano(facts.monthly_budget_nano ?? null),
  }
}

function keyOf(row: KeyRow): CustomerKey {
  return {
    id: row.id,
    name: row.name,
    shown: row.shown,
    type: row.type,
    enabled: row.enabled,
    limit: readNullableNano(row.spend_limit_nano),
    period: row.spend_limit_period,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    revokedAtMs: row.revoked_at?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
  }
}

export function noteOf({ id, text, author, created_at: createdAt }: NoteRow): CustomerNote {
  return { id, text, author, createdAtMs: createdAt.getTime() }
}
