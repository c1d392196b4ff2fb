const notices = ['confirmed', 'reset', 'refused', 'deleted'] as const
export type Notice = (typeof notices)[number]

interface SignInSearch {
  /** The path to open afterwards, below `/console`. */
  readonly next?: string
  /** A notice about an event elsewhere, such as a confirmed email address. */
  readonly notice?: Notice
}

export function parseSignInSearch({ next, notice }: Record<string, unknown>): SignInSearch {
  const known = notices.find((one) => one === notice)
  return { ...(typeof next === 'string' ? { next } : {}), ...(known === undefined ? {} : { notice: known }) }
}
