import { hash } from 'node:crypto'
import type { Role } from '#domain/access/roles.ts'
import { type NanoUsd, nullableUsdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'

export const invitationStatuses = ['pending', 'accepted', 'expired', 'revoked'] as const
export type InvitationStatus = (typeof invitationStatuses)[number]

/** An invitation to an address, or an open link. The token is known only by its hash. */
export interface Invitation {
  readonly id: Uuid
  readonly tokenHash: Buffer
  /** In lower case. Null for an open link. */
  readonly email: string | null
  /** The domain that addresses must have to use an open link. */
  readonly domain: string | null
  readonly name: string | null
  readonly role: Role
  readonly teamId: Uuid | null
  readonly monthlyBudget: NanoUsd | null
  readonly usesMax: number
  readonly uses: number
  readonly invitedBy: Uuid
  readonly createdAtMs: number
  /** When the current token was created. */
  readonly sentAtMs: number
  readonly expiresAtMs: number
  readonly acceptedAtMs: number | null
  readonly revokedAtMs: number | null
}

/** An invitation in the list of its organization. */
export interface InvitationListing extends Omit<Invitation, 'tokenHash' | 'teamId' | 'invitedBy'> {
  readonly team: { readonly id: Uuid; readonly name: string } | null
  readonly inviter: { readonly id: Uuid; readonly name: string; readonly email: string }
}

/** An invitation as the person with its token sees it. */
export interface OpenedInvitation {
  readonly invitation: Invitation
  readonly organization: { readonly id: Uuid; readonly name: string; readonly slug: string }
  readonly teamName: string | null
  readonly inviterName: string
}

/** Bounds of what can be invited. */
export const invitationLimits = { perRequestMax: 100, openMax: 10_000, usesMax: 1_000, daysMax: 90, defaultDays: 7 }

export function statusOf(
  { revokedAtMs, uses, usesMax, expiresAtMs }: Pick<Invitation, 'revokedAtMs' | 'uses' | 'usesMax' | 'expiresAtMs'>,
  nowMs: number,
): InvitationStatus {
  if (revokedAtMs !== null) return 'revoked'
  if (uses >= usesMax) return 'accepted'
  return expiresAtMs <= nowMs ? 'expired' : 'pending'
}

type AddressVerdict = { readonly allowed: true } | { readonly allowed: false; readonly message: string }

/**
 * Whether a person with this address may use the invitation. An unproven address counts only where no address can be
 * proven, because there is no mail server; a domain always needs a proven one.
 */
export function judgeInvited(
  { email, domain }: Pick<Invitation, 'email' | 'domain'>,
  person: { readonly email: string; readonly isProven: boolean },
  { sendsMail }: { sendsMail: boolean },
): AddressVerdict {
  const own = person.email.toLowerCase()
  if (email !== null && own !== email) return refuse('This invitation is for another email address.')
  if (domain !== null && !own.endsWith(`@${domain}`))
    return refuse('This link is for email addresses of another domain.')
  if (!person.isProven && (sendsMail || domain !== null)) return refuse('Confirm your email address first.')
  return { allowed: true }
}

function refuse(message: string): AddressVerdict {
  return { allowed: false, message }
}

/** An invitation's values for the audit log, which must not contain addresses of people. */
export function invitationValues(invitation: Invitation): JsonObject {
  return {
    kind: invitation.email === null ? 'link' : 'email',
    role: invitation.role,
    teamId: invitation.teamId,
    monthlyBudget: nullableUsdJson(invitation.monthlyBudget),
    domain: invitation.domain,
    usesMax: invitation.usesMax,
    expiresAt: new Date(invitation.expiresAtMs).toISOString(),
  }
}

/** The SHA-256 of a token. Tokens have 256 random bits, so the hash needs no salt. */
export function hashInvitationToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
