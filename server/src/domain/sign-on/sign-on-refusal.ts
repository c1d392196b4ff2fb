/** Why a sign-on ended without a session. The sign-in page has a sentence for each. */
export const signOnRefusals = [
  /** The sign-in was not begun in this browser, has expired or was used before. */
  'expired',
  /** The identity provider refused, or its answer is not valid. */
  'provider',
  /** The identity provider sent no address in a verified domain of the organization. */
  'address',
  /** An account with the address exists, but its owner has not confirmed the address. */
  'unconfirmed',
  /** The account has a second factor, and its owner was not signed in when the sign-on began. */
  'second_factor',
  /** The account is linked to another person at the identity provider. */
  'other_subject',
  'suspended',
  /** The organization requires sign-on, and the person used another way. */
  'required',
  'seats',
  /** There is no such connection, or it is not enabled. */
  'unavailable',
] as const
export type SignOnRefusal = (typeof signOnRefusals)[number]
