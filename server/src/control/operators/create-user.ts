import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isMailAddress } from '#lib/mail-address.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { UserListing, Users } from '#ports/people.ts'

/**
 * A user always has a wallet, which pays for the user's own keys. The address counts as verified, because the operator
 * entered it.
 */
export async function createUser(
  users: Users,
  input: { email: string; name: string },
  nowMs: number,
): Promise<{ id: Uuid; walletId: Uuid; email: string }> {
  const email = input.email.trim()
  if (!isMailAddress(email)) throw malformed(`${email} is not an email address.`)
  const user = { id: newUuid(nowMs), walletId: newUuid(nowMs), email, name: input.name }
  if (!(await users.create(user))) {
    throw malformed(`A user with the email ${email} already exists.`)
  }
  return { id: user.id, walletId: user.walletId, email }
}

/** Finds a user by id or email address. */
export async function readUser(users: Users, reference: string): Promise<UserListing> {
  const user = await users.find(reference)
  if (user === null) throw missingUser(reference)
  return user
}

export function missingUser(reference: string): GatewayError {
  return new GatewayError('notFound', { message: `User ${reference} not found.` })
}
