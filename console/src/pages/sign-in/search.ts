const notices = ['confirmed', 'reset', 'refused', 'deleted'] as const
export type Notice = (typeof notices)[number]

interface SignInSearch {
  /** Where to go afterwards, below `/console`. */
  readonly next?: string
  /** What has just happened elsewhere, such as in a mail. */
  readonly notice?: Notice
}

export function parseSignInSearch({ next, notice }: Record<string, unknown>): SignInSearch {
  const known = notices.find((one) => one === notice)
  return { ...(typeof next === 'string' ? { next } : {}), ...(known === undefined ? {} : { notice: known }) }
}
