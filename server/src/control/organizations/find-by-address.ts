import { isMailAddress } from '#lib/mail-address.ts'
import type { Users } from '#ports/people.ts'
import type { FindUser } from './add-member.ts'

/** By a mail address that its owner has proven. Ids and other texts find nobody. */
export function findByAddress(users: Pick<Users, 'findVerified'>): FindUser {
  return async (address) => (isMailAddress(address) ? users.findVerified(address) : null)
}
