import { pickKnown } from '../../lib/pick-known.ts'

export const statuses = ['pending', 'accepted', 'expired', 'revoked'] as const

export interface InvitationsSearch {
  readonly q?: string
  readonly status?: (typeof statuses)[number]
  /** Whether the dialog for new invitations is open. */
  readonly invite?: true
}

export function parseInvitationsSearch({ q, status, invite }: Record<string, unknown>): InvitationsSearch {
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...pickKnown('status', statuses, status),
    ...(invite === true ? { invite } : {}),
  }
}
