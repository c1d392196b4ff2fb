import type { Invitation } from '../../api/invitations.ts'

/** Whom an invitation is for. */
export function recipientOf({ email, domain }: Pick<Invitation, 'email' | 'domain'>): string {
  return email ?? (domain === null ? 'Anyone with the link' : `Anyone at ${domain}`)
}
