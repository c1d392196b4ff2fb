import type { Invitation } from '#domain/organizations/invitation.ts'
import { notificationLifeMs } from '#domain/mail/mail-class.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { NewMail } from '#ports/mail-outbox.ts'

/** The email of an invitation. A later one to the same person replaces it while it is unsent. */
export function invitationMail(
  invitation: Pick<Invitation, 'id' | 'expiresAtMs'> & { readonly email: string },
  { organizationName, link, nowMs }: { organizationName: string; link: string; nowMs: number },
): NewMail {
  return {
    class: 'invitation',
    to: invitation.email,
    topic: mailTopicOf(invitation.id),
    lifeMs: Math.min(invitation.expiresAtMs - nowMs, notificationLifeMs),
    subject: `You're invited to ${organizationName}`,
    text: `You're invited to join the organization ${organizationName}.

Open this link to see the invitation. It works once, until ${utcDay(invitation.expiresAtMs)}:

${link}

If you don't expect this, ignore this email. Nothing happens unless you accept.
`,
  }
}

export function mailTopicOf(invitationId: Uuid): string {
  return `invitation ${invitationId}`
}

function utcDay(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
