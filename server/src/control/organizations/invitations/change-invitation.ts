import type { Grant } from '#domain/access/judge-access.ts'
import type { Role } from '#domain/access/roles.ts'
import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import { type Invitation, invitationValues, statusOf } from '#domain/organizations/invitation.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import { changeWithin } from '../change-within.ts'
import { mailTopicOf } from './invitation-mail.ts'
import {
  type InvitationDeps,
  newToken,
  readInvitation,
  type SentInvitation,
  sendInvitation,
} from './invitation-deps.ts'

interface InvitationChange {
  readonly invitationId: string
  readonly grant: Grant
  readonly stamp: AuditStamp
}

/**
 * Sends an invitation again with a new token and its full life. The old token stops working. The new one gives the same
 * role as a new invitation, so `requireRight` refuses whom it would refuse a new invitation to that role.
 */
export async function resendInvitation(
  deps: InvitationDeps,
  input: InvitationChange & { inviterId: Uuid; requireRight: (role: Role) => void },
  nowMs: number,
): Promise<SentInvitation> {
  return changeWithin(deps, input.stamp, async (locked) => {
    const before = await readInvitation(locked, input)
    input.requireRight(before.role)
    if (statusOf(before, nowMs) === 'accepted') {
      throw new GatewayError('conflict', { message: 'This invitation was already accepted. Create a new one.' })
    }
    const { token, tokenHash } = newToken()
    const expiresAtMs = nowMs + (before.expiresAtMs - before.sentAtMs)
    const times = { sentAtMs: nowMs, expiresAtMs }
    const after: Invitation = { ...before, ...times, tokenHash, invitedBy: input.inviterId }
    await locked.invitations.update(after)
    const sent = await sendInvitation(deps, locked, { invitation: after, token, nowMs })
    const entry = entryOf(input.stamp, 'invitation.resend', { before, after })
    return { result: sent, entries: [entry] }
  })
}

/** Revokes an invitation. One that is used up cannot be taken back. */
export async function revokeInvitation(deps: InvitationDeps, input: InvitationChange, nowMs: number): Promise<void> {
  await changeWithin(deps, input.stamp, async (locked) => {
    const before = await readInvitation(locked, input)
    const status = statusOf(before, nowMs)
    if (status === 'accepted') {
      throw new GatewayError('conflict', {
        message: 'This invitation was already accepted. Remove the member instead.',
      })
    }
    await locked.invitations.update({ ...before, revokedAtMs: nowMs })
    await locked.invitations.dropMail(mailTopicOf(before.id))
    return { result: null, entries: [entryOf(input.stamp, 'invitation.revoke', { before, after: null })] }
  })
}

function entryOf(
  stamp: AuditStamp,
  action: 'invitation.resend' | 'invitation.revoke',
  { before, after }: { before: Invitation; after: Invitation | null },
): AuditEntry {
  const target = { kind: 'invitation', id: before.id }
  const values = { before: invitationValues(before), after: after === null ? null : invitationValues(after) }
  return { ...stamp, action, target, ...values }
}
