import { type AccessRow, accessTable } from '#domain/access/access-table.ts'
import type { ActionRoute } from './actions.ts'
import type { Person } from './people.ts'

/**
 * Whose things the path names: an organization's own, with things of the own team or of another; those of another
 * organization; things of another inside the own; or nothing that exists.
 */
export const targets = ['home', 'home, other team', 'away', 'home, things of away', 'missing'] as const
export type Target = (typeof targets)[number]

/** What the access table promises, worked out apart from the code that enforces it. */
export function expectedStatus(person: Person, route: ActionRoute, target: Target): 401 | 403 | 404 | 'pass' {
  const row: AccessRow = accessTable[route.action]
  if (row.credentials.length === 0) return namesThing(route) && target === 'missing' ? 404 : 'pass'
  if (person.standing === 'nobody' || person.standing === 'unauthenticated') return 401
  // A session that is not accepted is not looked at.
  if (person.credential === 'session' && !row.credentials.includes('session')) return 401
  if (person.standing === 'forbidden') return 403
  if (person.credential === null || !row.credentials.includes(person.credential)) return 403
  if (row.within === 'organization') return insideOrganization(person, row, route, target)
  // An operator's things are nobody's in particular.
  if (row.within === 'nobody') return namesThing(route) && target === 'missing' ? 404 : 'pass'
  if (route.action === 'ownKeys.manage') return ofBoundOrganization(person, route, target)
  return ofOwn(person, route, target)
}

function insideOrganization(person: Person, row: AccessRow, route: ActionRoute, target: Target) {
  if (target === 'missing') return 404
  const where = target === 'away' ? 'away' : 'home'
  const role = person.roleIn[where]
  if (role === null || (person.boundTo !== null && person.boundTo !== where)) return 404
  if (person.credential === 'management_key' && role !== 'org_admin') return 403
  const reach = row.roles?.[role]
  if (reach === undefined) return 403
  if (!namesThing(route)) return 'pass'
  if (target === 'home, things of away') return 404
  return target === 'home, other team' && reach === 'own_team' ? 403 : 'pass'
}

/** Own keys are those of the organization that the calling key is bound to, for its administrators. */
function ofBoundOrganization(person: Person, route: ActionRoute, target: Target) {
  const bound = person.boundTo
  if (bound === null || person.roleIn[bound] !== 'org_admin') return 403
  return namesThing(route) && target !== bound ? 404 : 'pass'
}

function ofOwn(person: Person, route: ActionRoute, target: Target) {
  const bound = person.boundTo
  if (route.action === 'keys.manage' && bound !== null && person.roleIn[bound] !== 'org_admin') return 403
  return namesThing(route) && target !== 'home' ? 404 : 'pass'
}

/** Whether the path names more than the organization. */
function namesThing({ path }: ActionRoute): boolean {
  return path.replace('{orgId}', '').includes('{')
}
