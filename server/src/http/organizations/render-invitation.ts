import type { SentInvitation } from '#control/organizations/invitations/invitation-deps.ts'
import type { InviteOutcome } from '#control/organizations/invitations/invite.ts'
import { nullableUsdJson } from '#domain/money/nano-usd.ts'
import { type InvitationListing, type OpenedInvitation, statusOf } from '#domain/organizations/invitation.ts'
import type { JsonObject } from '#lib/json.ts'

const iso = (ms: number): string => new Date(ms).toISOString()

export function renderInvitation(invitation: InvitationListing, nowMs: number): JsonObject {
  return {
    id: invitation.id,
    status: statusOf(invitation, nowMs),
    email: invitation.email,
    domain: invitation.domain,
    name: invitation.name,
    role: invitation.role,
    monthlyBudget: nullableUsdJson(invitation.monthlyBudget),
    usesMax: invitation.usesMax,
    uses: invitation.uses,
    team: invitation.team === null ? null : { ...invitation.team },
    invitedBy: { ...invitation.inviter },
    createdAt: iso(invitation.createdAtMs),
    sentAt: iso(invitation.sentAtMs),
    expiresAt: iso(invitation.expiresAtMs),
    acceptedAt: invitation.acceptedAtMs === null ? null : iso(invitation.acceptedAtMs),
  }
}

export function renderSent({ invitation, link, mailed }: SentInvitation): JsonObject {
  return { id: invitation.id, url: link, mailed, expiresAt: iso(invitation.expiresAtMs) }
}

export function renderOutcome(outcome: InviteOutcome): JsonObject {
  if ('email' in outcome) return { ...outcome, id: null, url: null, mailed: false, expiresAt: null }
  return { outcome: outcome.outcome, email: outcome.invitation.email, ...renderSent(outcome) }
}

export function renderOpened({ invitation, organization, teamName, inviterName }: OpenedInvitation): JsonObject {
  return {
    organization: { name: organization.name },
    role: invitation.role,
    team: teamName,
    monthlyBudget: nullableUsdJson(invitation.monthlyBudget),
    invitedBy: inviterName,
    email: invitation.email,
    domain: invitation.domain,
    expiresAt: iso(invitation.expiresAtMs),
  }
}
