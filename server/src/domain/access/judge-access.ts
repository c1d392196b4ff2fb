import type { Uuid } from '#lib/uuid.ts'
import type { AccessRow, Reach } from './access-row.ts'
import { type Client, credentialOf, operatorRoleOf } from './client.ts'
import type { OperatorRole } from './operator-roles.ts'
import type { Role } from './roles.ts'

/** The client's membership in the organization of the request. */
export interface Membership {
  readonly organizationId: Uuid
  readonly memberId: Uuid
  readonly userId: Uuid
  readonly role: Role
  readonly teamId: Uuid | null
}

/** The reach of the client for this action; a team means that team and its members only. */
export type Grant = { readonly reach: 'organization' } | { readonly reach: 'own_team'; readonly teamId: Uuid }

type CredentialRefusal = 'unauthenticated' | 'forbidden' | 'secondFactorRequired'

type CredentialVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly refusal: CredentialRefusal; readonly message: string }

/** Whether this kind of client may perform the action at all, whatever the resource. */
export function judgeCredential(row: AccessRow, client: Client | null): CredentialVerdict {
  if (row.credentials.length === 0) return { allowed: true }
  if (client === null) return { allowed: false, refusal: 'unauthenticated', message: '' }
  const credential = credentialOf(client)
  if (!row.credentials.includes(credential)) return { allowed: false, refusal: 'forbidden', message: needs(row) }
  return row.operators === undefined ? { allowed: true } : judgeOperator(row.operators, client)
}

/** Whether the client operates the platform in one of these roles, and a person has proven it with a second factor. */
function judgeOperator(roles: readonly OperatorRole[], client: Client): CredentialVerdict {
  const role = operatorRoleOf(client)
  if (role === null) return { allowed: false, refusal: 'forbidden', message: needsOperator }
  if (client.kind === 'session' && !client.person.passedSecondFactor) {
    return { allowed: false, refusal: 'secondFactorRequired', message: needsSecondFactor }
  }
  if (roles.includes(role)) return { allowed: true }
  const message = `This endpoint requires an operator with the role ${roles.join(' or ')}.`
  return { allowed: false, refusal: 'forbidden', message }
}

const needsOperator = 'This endpoint requires an operator key or the session of an operator.'
const needsSecondFactor =
  'Operators sign in with a second factor. Set up an authenticator app or a passkey, and sign in with it.'

type RoleVerdict =
  | { readonly allowed: true; readonly grant: Grant }
  | { readonly allowed: false; readonly inside: string }

/**
 * Whether the client's role in the organization permits the action, and its reach. A management key may leak, so with
 * one only an administrator of the whole organization is permitted.
 */
export function judgeRole(row: AccessRow, client: Client, membership: Membership): RoleVerdict {
  if (client.kind === 'key' && membership.role !== 'org_admin') {
    return { allowed: false, inside: `a ${membership.role} with a management key` }
  }
  const reach: Reach | undefined = row.roles?.[membership.role]
  if (reach === 'organization') return { allowed: true, grant: { reach } }
  if (reach === 'own_team' && membership.teamId !== null) {
    return { allowed: true, grant: { reach, teamId: membership.teamId } }
  }
  return { allowed: false, inside: `a ${membership.role} may not` }
}

/** Whether a grant covers a team, or a member of it. */
export function covers(grant: Grant, teamId: Uuid | null): boolean {
  return grant.reach === 'organization' || grant.teamId === teamId
}

/**
 * Whether a grant covers one member. Organization administrators and billing roles may be in a team, but its team
 * administrator has no rights over them.
 */
export function coversMember(grant: Grant, member: { readonly role: Role; readonly teamId: Uuid | null }): boolean {
  return grant.reach === 'organization' || (covers(grant, member.teamId) && teamRoles.has(member.role))
}

/** The roles that are limited to a team. */
const teamRoles: ReadonlySet<Role> = new Set(['team_admin', 'member'])

function needs(row: AccessRow): string {
  if (row.credentials.includes('operator_key')) return needsOperator
  if (row.credentials.includes('management_key')) {
    return row.credentials.includes('standard_key')
      ? 'This endpoint requires an API key.'
      : row.credentials.includes('session')
        ? 'This endpoint requires a management key or a session on the website.'
        : 'This endpoint requires a management key.'
  }
  if (row.credentials.includes('session')) return 'This endpoint requires a session on the website.'
  return "This endpoint requires a standard key. Management keys can't call models. Institution sessions and customer tokens can only call chat completions and embeddings."
}
