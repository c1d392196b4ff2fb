import { randomBytes } from 'node:crypto'
import { coversMember, type Grant } from '#domain/access/judge-access.ts'
import { hashInvitationToken, type Invitation } from '#domain/organizations/invitation.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid } from '#lib/uuid.ts'
import type { Invitations } from '#ports/invitations.ts'
import type { LockedOrganization } from '#ports/organizations.ts'
import { forbidden } from '../../access/open-organization.ts'
import type { OrganizationDeps } from '../change-within.ts'
import { invitationMail } from './invitation-mail.ts'

export interface InvitationDeps extends OrganizationDeps {
  readonly invitations: Invitations
  /** Whether a mail server is configured. */
  readonly sendsMail: boolean
  /** The page that shows an invitation. Its link gets the token as a parameter. */
  readonly pageUrl: string
  /** Takes one of the emails that an address may get in an hour. */
  readonly takeMail: (address: string, nowMs: number) => boolean
}

/** An invitation with its link, which only this answer contains. */
export interface SentInvitation {
  readonly invitation: Invitation
  readonly link: string
  /** Whether an email with the link was queued. */
  readonly mailed: boolean
}

export function newToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashInvitationToken(token) }
}

/** Queues the email of an invitation in the same transaction. */
export async function sendInvitation(
  { sendsMail, pageUrl, takeMail }: Pick<InvitationDeps, 'sendsMail' | 'pageUrl' | 'takeMail'>,
  locked: LockedOrganization,
  { invitation, token, nowMs }: { invitation: Invitation; token: string; nowMs: number },
): Promise<SentInvitation> {
  const link = `${pageUrl}?token=${token}`
  const { email } = invitation
  const mailed = email !== null && sendsMail && takeMail(email, nowMs)
  if (mailed) {
    const about = { organizationName: locked.organization.name, link, nowMs }
    await locked.invitations.queueMail(invitationMail({ ...invitation, email }, about))
  }
  return { invitation, link, mailed }
}

/** Finds an invitation of the locked organization that the grant covers. */
export async function readInvitation(
  locked: LockedOrganization,
  { invitationId, grant }: { invitationId: string; grant: Grant },
): Promise<Invitation> {
  const invitation = isUuid(invitationId) ? await locked.invitations.find(invitationId) : null
  // A revoked invitation is gone: no one can tell it from one that never existed.
  if (invitation === null || invitation.revokedAtMs !== null) {
    throw new GatewayError('notFound', { message: 'Invitation not found.' })
  }
  if (!coversMember(grant, invitation)) throw forbidden("another team's invitation")
  return invitation
}
