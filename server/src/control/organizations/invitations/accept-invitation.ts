import type { SignedInPerson } from '#domain/access/client.ts'
import type { Grant } from '#domain/access/judge-access.ts'
import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import {
  hashInvitationToken,
  type Invitation,
  invitationValues,
  judgeInvited,
  type OpenedInvitation,
  statusOf,
} from '#domain/organizations/invitation.ts'
import { judgeMember } from '#domain/organizations/judge-member.ts'
import type { Member } from '#domain/organizations/member.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { LockedOrganization } from '#ports/organizations.ts'
import { type Admission, admitUnderLock } from '../admit-member.ts'
import { changeWithin } from '../change-within.ts'
import type { InvitationDeps } from './invitation-deps.ts'

/** An invitation that can be accepted now. Each other one gets its own refusal, which names no organization. */
export async function openInvitation(
  { invitations }: Pick<InvitationDeps, 'invitations'>,
  token: string,
  nowMs: number,
): Promise<OpenedInvitation> {
  const opened = await invitations.findByToken(hashInvitationToken(token))
  if (opened === null) throw unknownInvitation()
  refuseEnded(opened.invitation, nowMs)
  return opened
}

/** Makes the person a member with the team and budget of the invitation, and takes one of its uses. */
export async function acceptInvitation(
  deps: InvitationDeps,
  { token, person, stamp }: { token: string; person: SignedInPerson; stamp: Pick<AuditStamp, 'actor' | 'requestId'> },
  nowMs: number,
): Promise<{ member: Member; organization: OpenedInvitation['organization'] }> {
  const { organization } = await openInvitation(deps, token, nowMs)
  const isProven = await deps.invitations.isProven(person.userId)
  const inside = { ...stamp, chainId: organization.id }
  const member = await changeWithin(deps, inside, async (locked) => {
    const invitation = await locked.invitations.findByToken(hashInvitationToken(token))
    if (invitation === null) throw unknownInvitation()
    refuseEnded(invitation, nowMs)
    const verdict = judgeInvited(invitation, { email: person.email, isProven }, deps)
    if (!verdict.allowed) throw new GatewayError('forbidden', { message: verdict.message })
    const admission = admissionOf(invitation, person)
    const grant = await readInviterGrant(locked, invitation, admission)
    const input = { admission, grant, stamp: inside, details: { invitationId: invitation.id } }
    const admitted = await admitUnderLock(locked, input, nowMs)
    await locked.invitations.update({ ...invitation, uses: invitation.uses + 1, acceptedAtMs: nowMs })
    const target = { kind: 'invitation', id: invitation.id }
    const after = { ...invitationValues(invitation), memberId: admitted.member.id }
    const accepted: AuditEntry = { ...inside, action: 'invitation.accept', target, after }
    return { result: admitted.member, entries: [accepted, admitted.entry] }
  })
  return { member, organization }
}

/** If the team was deleted since, its administrators became plain members; so does this one. */
function admissionOf(invitation: Invitation, { userId }: SignedInPerson): Admission & Pick<Member, 'role' | 'teamId'> {
  const { teamId, monthlyBudget } = invitation
  const role = invitation.role === 'team_admin' && teamId === null ? 'member' : invitation.role
  return { userId, role, teamId, monthlyBudget }
}

/**
 * The rights of the inviter today. An inviter who has left, is suspended or has another role since cannot leave a way
 * in behind: the invitation then counts as revoked.
 */
async function readInviterGrant(
  locked: LockedOrganization,
  { invitedBy }: Invitation,
  { role, teamId }: Pick<Member, 'role' | 'teamId'>,
): Promise<Grant> {
  const inviter = await locked.findMember({ userId: invitedBy })
  const grant = inviter === null || inviter.suspended ? null : grantOf(inviter)
  const after = { role, teamId, suspended: false }
  if (grant === null || !judgeMember(grant, { before: null, after, otherAdmins: 0 }).allowed) throw gone.revoked()
  return grant
}

function grantOf({ role, teamId }: Member): Grant | null {
  if (role === 'org_admin') return { reach: 'organization' }
  return role === 'team_admin' && teamId !== null ? { reach: 'own_team', teamId } : null
}

function refuseEnded(invitation: Invitation, nowMs: number): void {
  const status = statusOf(invitation, nowMs)
  if (status !== 'pending') throw gone[status]()
}

function unknownInvitation(): GatewayError {
  return new GatewayError('notFound', { message: 'This invitation link is not valid. Ask for a new one.' })
}

const ended = (message: string) => (): GatewayError => new GatewayError('gone', { message })

const gone = {
  accepted: ended('This invitation has already been used.'),
  expired: ended('This invitation has expired. Ask for a new one.'),
  revoked: ended('This invitation was revoked. Ask for a new one.'),
}
