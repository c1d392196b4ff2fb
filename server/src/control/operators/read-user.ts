import { GatewayError } from '#errors/gateway-error.ts'
import type { UserListing, Users } from '#ports/people.ts'

/** By id or mail address. */
export async function readUser(users: Users, reference: string): Promise<UserListing> {
  const user = await users.find(reference)
  if (user === null) throw missingUser(reference)
  return user
}

export function missingUser(reference: string): GatewayError {
  return new GatewayError('notFound', { message: `There is no user ${reference}.` })
}
