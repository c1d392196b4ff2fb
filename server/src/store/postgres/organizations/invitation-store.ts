import type { Pool } from 'pg'
import type { Invitations } from '#ports/invitations.ts'
import { refuseWhenAway } from '../faults.ts'
import { isProvenAddress, listInvitationPage, openInvitation } from './invitations.sql.ts'

export function createInvitations(pool: Pool): Invitations {
  return {
    listPage: (query, page) => refuseWhenAway(listInvitationPage(pool, query, page)),
    findByToken: (tokenHash) => refuseWhenAway(openInvitation(pool, tokenHash)),
    isProven: (userId) => refuseWhenAway(isProvenAddress(pool, userId)),
  }
}
