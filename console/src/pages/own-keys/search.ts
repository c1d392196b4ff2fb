interface OwnKeysSearch {
  /** Whether the dialog for a new key is open. */
  readonly create?: true
}

export function parseOwnKeysSearch({ create }: Record<string, unknown>): OwnKeysSearch {
  return create === true ? { create } : {}
}
