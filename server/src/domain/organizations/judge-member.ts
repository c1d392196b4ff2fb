import { coversMember, type Grant } from '#domain/access/judge-access.ts'
import type { Role } from '#domain/access/roles.ts'
import type { Uuid } from '#lib/uuid.ts'

/** A person's membership in an organization; null for none. */
export type MemberState = { readonly role: Role; readonly teamId: Uuid | null; readonly suspended: boolean } | null

type MemberVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly refusal: 'malformedRequest' | 'forbidden'; readonly message: string }

/**
 * Whether a grant permits a membership change, and whether the organization stays valid: joining, changing and leaving
 * are one check. A team_admin cannot move people between teams, and can only give and take roles that do not exceed
 * their own.
 */
export function judgeMember(
  grant: Grant,
  { before, after, otherAdmins }: { before: MemberState; after: MemberState; otherAdmins: number },
): MemberVerdict {
  if (grant.reach === 'own_team') {
    const beyond = [before, after].some((state) => state !== null && !coversMember(grant, state))
    if (beyond) return forbidden
  }
  if (after?.role === 'team_admin' && after.teamId === null) {
    return refuse('teamId is required for the role team_admin.')
  }
  if (isActiveAdmin(before) && !isActiveAdmin(after) && otherAdmins === 0) {
    return refuse('This is the last org_admin. Make another member org_admin first.')
  }
  return { allowed: true }
}

function isActiveAdmin(state: MemberState): boolean {
  return state !== null && state.role === 'org_admin' && !state.suspended
}

const forbidden = {
  allowed: false,
  refusal: 'forbidden',
  message: 'As a team_admin, you can only add, change and remove members and team_admins of your own team.',
} as const

function refuse(message: string): MemberVerdict {
  return { allowed: false, refusal: 'malformedRequest', message }
}
