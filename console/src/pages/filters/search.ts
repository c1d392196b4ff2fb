interface FiltersSearch {
  /** Whether the dialog for a new filter is open. */
  readonly create?: true
}

export function parseFiltersSearch({ create }: Record<string, unknown>): FiltersSearch {
  return create === true ? { create } : {}
}
