import type { Credential } from './client.ts'
import type { OperatorRole } from './operator-roles.ts'
import type { Role } from './roles.ts'

/** One action, named by its endpoints: who may perform it. */
export interface AccessRow {
  readonly summary: string
  /** Empty means public. */
  readonly credentials: readonly Credential[]
  /** The owner of the resource. Within an organization the client's role decides. */
  readonly within: 'nobody' | 'account' | 'organization'
  /** Only within an organization. Roles that are not listed have no access. */
  readonly roles?: Readonly<Partial<Record<Role, Reach>>>
  /** Only for actions of operators: the roles that may perform it. */
  readonly operators?: readonly OperatorRole[]
}

/** The reach of a role: the whole organization, or the client's own team and its members. */
export type Reach = 'organization' | 'own_team'
