import type { Pool } from 'pg'
import type { Memberships } from '#ports/memberships.ts'
import { refuseWhenAway } from '../account/refuse-when-away.ts'
import { findKeyPlace } from './find-key-place.sql.ts'
import { findMemberPlace } from './find-member-place.sql.ts'
import { findMembership } from './find-membership.sql.ts'
import { findTeamPlace } from './find-team-place.sql.ts'

export function createMemberships(pool: Pool): Memberships {
  return {
    find: (query) => refuseWhenAway(findMembership(pool, query)),
    findTeam: (query) => refuseWhenAway(findTeamPlace(pool, query)),
    findMember: (query) => refuseWhenAway(findMemberPlace(pool, query)),
    findKey: (query) => refuseWhenAway(findKeyPlace(pool, query)),
  }
}
