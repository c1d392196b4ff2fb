import { coversMember, type Grant } from '#domain/access/judge-access.ts'
import type { Role } from '#domain/access/roles.ts'
import type { Uuid } from '#lib/uuid.ts'

/** What a person is in an organization; null is not to be in it. */
export type MemberState = { readonly role: Role; readonly teamId: Uuid | null } | null

type MemberVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly refusal: 'malformedRequest' | 'forbidden'; readonly message: string }

/**
 * Whether a grant lets a member become what is asked, and whether the organization still stands afterwards: joining,
 * changing and leaving are one question. A team_admin moves people neither into the team from another nor out of
 * it into another, and gives and takes only the roles that reach no further than their own.
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
  if (before?.role === 'org_admin' && after?.role !== 'org_admin' && otherAdmins === 0) {
    return refuse('This is the last org_admin. Make another member org_admin first.')
  }
  return { allowed: true }
}

const forbidden = {
  allowed: false,
  refusal: 'forbidden',
  message: 'As a team_admin, you can only add, change and remove members and team_admins of your own team.',
} as const

function refuse(message: string): MemberVerdict {
  return { allowed: false, refusal: 'malformedRequest', message }
}
