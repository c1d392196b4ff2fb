import type { Accepted, ExpectedEndpoint, OperatorRole, Role } from './read-access.ts'
import { namesInside, type Target } from './targets.ts'

/** A status, or `pass`: the request passes the access check and is answered or rejected for another reason. */
export type ExpectedAnswer = 401 | 403 | 404 | 'pass'

type ExpectedCredential =
  | 'standard_key'
  | 'management_key'
  | 'institution_session'
  | 'customer_token'
  | 'operator_key'
  | 'session'

/** The known properties of a client before its request. */
interface ExpectedCaller {
  readonly standing: 'nobody' | 'unauthenticated' | 'forbidden' | 'known'
  readonly credential: ExpectedCredential | null
  /** The role in the requested organization, and in another one. */
  readonly roleIn: { readonly home: Role | null; readonly away: Role | null }
  /** The organization that a key is bound to. */
  readonly boundTo: 'home' | 'away' | null
  /** The role of an operator. */
  readonly operates: OperatorRole | null
}

/**
 * The contract's response to this client. Things that do not exist for a client are 404, even if they exist for others.
 */
export function expectAnswer(endpoint: ExpectedEndpoint, caller: ExpectedCaller, target: Target): ExpectedAnswer {
  if (endpoint.accepts === null) return isThere(endpoint, target) ? 'pass' : 404
  if (caller.standing === 'nobody' || caller.standing === 'unauthenticated') return 401
  // A cookie counts only where sessions are accepted; elsewhere it is ignored.
  if (caller.credential === 'session' && !endpoint.accepts.has('session')) return 401
  if (caller.standing === 'forbidden') return 403
  if (caller.credential === null || !endpoint.accepts.has(wordFor(caller.credential))) return 403
  switch (endpoint.scope) {
    case 'platform':
      if (caller.operates === null || !endpoint.operators.has(caller.operates)) return 403
      return isThere(endpoint, target) ? 'pass' : 404
    case 'none':
    case 'public':
      return isThere(endpoint, target) ? 'pass' : 404
    case 'account':
      return isOwn(endpoint, target) ? 'pass' : 404
    case 'account-admin':
      return roleWhereBound(caller) === 'not admin' ? 403 : isOwn(endpoint, target) ? 'pass' : 404
    case 'account-manager':
      if (caller.credential === 'management_key' && roleWhereBound(caller) === 'not admin') return 403
      return isOwn(endpoint, target) ? 'pass' : 404
    case 'bound':
      return roleWhereBound(caller) === 'org_admin' ? inBound(endpoint, caller, target) : 403
    case 'organization':
      return inOrganization(endpoint, caller, target)
  }
}

function inOrganization(endpoint: ExpectedEndpoint, caller: ExpectedCaller, target: Target): ExpectedAnswer {
  if (target === 'vanished' || target === 'never-was') return 404
  const where = target === 'foreign' ? 'away' : 'home'
  const role = caller.roleIn[where]
  if (role === null || (caller.boundTo !== null && caller.boundTo !== where)) return 404
  // A key acts for its organization as an administrator or not at all.
  if (caller.credential === 'management_key' && role !== 'org_admin') return 403
  const reach = endpoint.reach[role]
  if (reach === 'no') return 403
  if (!namesInside(endpoint.path)) return 'pass'
  if (target.endsWith(' inside')) return 404
  return target === 'other team' && reach === 'team' ? 403 : 'pass'
}

function inBound(endpoint: ExpectedEndpoint, caller: ExpectedCaller, target: Target): ExpectedAnswer {
  if (!namesInside(endpoint.path)) return 'pass'
  return target === (caller.boundTo === 'home' ? 'own' : 'foreign') ? 'pass' : 404
}

function roleWhereBound({ boundTo, roleIn }: ExpectedCaller): Role | 'not admin' | 'unbound' {
  if (boundTo === null) return 'unbound'
  return roleIn[boundTo] === 'org_admin' ? 'org_admin' : 'not admin'
}

function isOwn({ path }: ExpectedEndpoint, target: Target): boolean {
  return !namesInside(path) || target === 'own'
}

/** Public and operator things can only be missing. */
function isThere({ path }: ExpectedEndpoint, target: Target): boolean {
  return !namesInside(path) || target === 'own' || target === 'foreign'
}

function wordFor(credential: NonNullable<ExpectedCaller['credential']>): Accepted {
  switch (credential) {
    case 'standard_key':
      return 'standard'
    case 'management_key':
      return 'management'
    case 'institution_session':
      return 'institution'
    case 'customer_token':
      return 'token'
    case 'operator_key':
      return 'operator'
    case 'session':
      return 'session'
  }
}
