import { reachOf, type Viewed } from '../../app/wallet-rights.ts'

/** A team admin manages plain members and team admins alone, as the API does. */
export function mayManageMember(viewer: Viewed, { role }: { readonly role: string }): boolean {
  const reach = reachOf(viewer, 'members.manage')
  return reach === 'organization' || (reach === 'own_team' && (role === 'member' || role === 'team_admin'))
}
