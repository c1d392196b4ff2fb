import { pickKnown } from '../../lib/pick-known.ts'

const notices = ['confirmed', 'reset', 'refused', 'deleted'] as const
export type Notice = (typeof notices)[number]

const refusals = [
  'expired',
  'provider',
  'address',
  'unconfirmed',
  'second_factor',
  'other_subject',
  'suspended',
  'required',
  'seats',
  'unavailable',
] as const
export type SignOnRefusal = (typeof refusals)[number]

interface SignInSearch {
  /** The path to open afterwards, below `/console`. */
  readonly next?: string
  /** A notice about an event elsewhere, such as a confirmed email address. */
  readonly notice?: Notice
  /** Why a single sign-on was refused. */
  readonly sign_on?: SignOnRefusal
}

interface SignUpSearch extends Pick<SignInSearch, 'next'> {
  /** The address of an invitation, which fills in the form. */
  readonly email?: string
}

export function parseSignUpSearch({ next, email }: Record<string, unknown>): SignUpSearch {
  return { ...(typeof next === 'string' ? { next } : {}), ...(typeof email === 'string' ? { email } : {}) }
}

export function parseSignInSearch({ next, notice, sign_on }: Record<string, unknown>): SignInSearch {
  return {
    ...(typeof next === 'string' ? { next } : {}),
    ...pickKnown('notice', notices, notice),
    ...pickKnown('sign_on', refusals, sign_on),
  }
}
