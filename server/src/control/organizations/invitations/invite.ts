import { coversMember, type Grant } from '#domain/access/judge-access.ts'
import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import { type Invitation, invitationLimits, invitationValues } from '#domain/organizations/invitation.ts'
import { judgeMember } from '#domain/organizations/judge-member.ts'
import type { Member } from '#domain/organizations/member.ts'
import { resolveMemberTerms } from '#domain/organizations/member-terms.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { LockedOrganization } from '#ports/organizations.ts'
import { changeWithin } from '../change-within.ts'
import { readTeam } from '../under-lock.ts'
import type { InvitationTerms, NewInvitations } from './invitation-bodies.ts'
import { type InvitationDeps, newToken, type SentInvitation, sendInvitation } from './invitation-deps.ts'

/** `renewed`: the address had an open invitation, whose link no longer works. */
export type InviteOutcome =
  | ({ readonly outcome: 'invited' | 'renewed' } & SentInvitation)
  | { readonly outcome: 'already_member' | 'invited_to_other_team'; readonly email: string }

export interface InviteInput {
  readonly wanted: NewInvitations
  readonly inviterId: Uuid
  readonly grant: Grant
  readonly stamp: AuditStamp
}

/**
 * Invites each address, or creates an open link. An inviter can give only what they could give by adding a member; the
 * same is checked again when the invitation is accepted.
 */
export async function invite(deps: InvitationDeps, input: InviteInput, nowMs: number): Promise<InviteOutcome[]> {
  const { wanted, inviterId, grant, stamp } = input
  return changeWithin(deps, stamp, async (locked) => {
    const terms = await readTerms(locked, wanted, grant)
    const emails = 'emails' in wanted ? wanted.emails : []
    const open = (await locked.invitations.countOpen(nowMs)) + Math.max(emails.length, 1)
    if (open > invitationLimits.openMax) {
      throw new GatewayError('conflict', {
        message: `An organization can have at most ${invitationLimits.openMax} open invitations.`,
      })
    }
    const base = { ...terms, invitedBy: inviterId, ...timesOf(wanted, nowMs) }
    if (!('emails' in wanted)) {
      const { usesMax, domain } = wanted
      const made = await create(deps, locked, { ...base, email: null, name: null, domain, usesMax }, { stamp, nowMs })
      return { result: [made.outcome], entries: [made.entry] }
    }
    const known = await findKnown(locked, emails)
    const outcomes: InviteOutcome[] = []
    const entries: AuditEntry[] = []
    for (const email of emails) {
      const refused = known.refusalOf(email, grant)
      if (refused !== null) {
        outcomes.push({ outcome: refused, email })
        continue
      }
      const invitation = { ...base, email, name: null, domain: null, usesMax: 1 }
      const made = await renewOrCreate(deps, locked, { invitation, open: known.openOf(email), stamp, nowMs })
      outcomes.push(made.outcome)
      entries.push(made.entry)
    }
    return { result: outcomes, entries }
  })
}

/** The terms that the invitation gives: given ones, or the defaults of today. */
async function readTerms(
  locked: LockedOrganization,
  wanted: InvitationTerms,
  grant: Grant,
): Promise<Pick<Member, 'role' | 'teamId' | 'monthlyBudget'>> {
  const own = wanted.teamId === undefined && grant.reach === 'own_team' ? grant.teamId : (wanted.teamId ?? null)
  const team = own === null ? null : await readTeam(locked, own)
  const terms = resolveMemberTerms(wanted, { organization: locked.organization, team })
  const verdict = judgeMember(grant, { before: null, after: { ...terms, suspended: false }, otherAdmins: 0 })
  if (!verdict.allowed) throw new GatewayError(verdict.refusal, { message: verdict.message })
  return terms
}

function timesOf({ lifeMs }: InvitationTerms, nowMs: number) {
  const times = { createdAtMs: nowMs, sentAtMs: nowMs, expiresAtMs: nowMs + lifeMs }
  return { ...times, uses: 0, acceptedAtMs: null, revokedAtMs: null }
}

async function findKnown(locked: LockedOrganization, emails: readonly string[]) {
  const members = await locked.findMembersByAddress(emails)
  const open = new Map((await locked.invitations.findOpen(emails)).map((entry) => [entry.email, entry]))
  return {
    openOf: (email: string): Invitation | null => open.get(email) ?? null,
    refusalOf: (email: string, grant: Grant): 'already_member' | 'invited_to_other_team' | null => {
      if (members.has(email)) return 'already_member'
      const other = open.get(email)
      return other !== undefined && !coversMember(grant, other) ? 'invited_to_other_team' : null
    },
  }
}

export type NewInvitation = Omit<Invitation, 'id' | 'tokenHash'>

export interface Made {
  readonly outcome: InviteOutcome
  readonly entry: AuditEntry
}

async function create(
  deps: InvitationDeps,
  locked: LockedOrganization,
  invitation: NewInvitation,
  { stamp, nowMs }: { stamp: AuditStamp; nowMs: number },
): Promise<Made> {
  const { token, tokenHash } = newToken()
  const made: Invitation = { ...invitation, id: newUuid(nowMs), tokenHash }
  await locked.invitations.insert(made)
  const sent = await sendInvitation(deps, locked, { invitation: made, token, nowMs })
  const target = { kind: 'invitation', id: made.id }
  const entry: AuditEntry = { ...stamp, action: 'invitation.create', target, after: invitationValues(made) }
  return { outcome: { outcome: 'invited', ...sent }, entry }
}

/** Renews the open invitation of an address, or creates one. Imports use it too. */
export async function renewOrCreate(
  deps: InvitationDeps,
  locked: LockedOrganization,
  input: { invitation: NewInvitation; open: Invitation | null; stamp: AuditStamp; nowMs: number },
): Promise<Made> {
  const { invitation, open, stamp, nowMs } = input
  if (open === null) return create(deps, locked, invitation, { stamp, nowMs })
  const { token, tokenHash } = newToken()
  const { createdAtMs } = open
  const renewed: Invitation = { ...invitation, id: open.id, name: invitation.name ?? open.name, createdAtMs, tokenHash }
  await locked.invitations.update(renewed)
  const sent = await sendInvitation(deps, locked, { invitation: renewed, token, nowMs })
  const target = { kind: 'invitation', id: open.id }
  const values = { before: invitationValues(open), after: invitationValues(renewed) }
  const entry: AuditEntry = { ...stamp, action: 'invitation.resend', target, ...values }
  return { outcome: { outcome: 'renewed', ...sent }, entry }
}
