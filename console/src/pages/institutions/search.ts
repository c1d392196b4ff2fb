interface InstitutionsSearch {
  /** Whether the dialog for a new key is open. */
  readonly create?: true
}

export function parseInstitutionsSearch({ create }: Record<string, unknown>): InstitutionsSearch {
  return create === true ? { create } : {}
}

interface SessionsSearch {
  /** Whether sessions that have ended are shown as well. */
  readonly status?: 'all'
  readonly email?: string
}

export function parseSessionsSearch({ status, email }: Record<string, unknown>): SessionsSearch {
  return {
    ...(status === 'all' ? { status } : {}),
    ...(typeof email === 'string' && email !== '' ? { email } : {}),
  }
}
