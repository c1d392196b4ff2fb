import { pickKnown } from '../../lib/pick-known.ts'

const notices = ['confirmed', 'reset', 'refused', 'deleted'] as const
export type Notice = (typeof notices)[number]

interface SignInSearch {
  /** The path to open afterwards, below `/console`. */
  readonly next?: string
  /** A notice about an event elsewhere, such as a confirmed email address. */
  readonly notice?: Notice
}

export function parseSignInSearch({ next, notice }: Record<string, unknown>): SignInSearch {
  return { ...(typeof next === 'string' ? { next } : {}), ...pickKnown('notice', notices, notice) }
}
