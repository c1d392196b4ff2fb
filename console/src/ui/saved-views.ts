import type { Search } from './filter-field.ts'

/** A view of a table that a person saved under a name: the page and its search parameters. */
export interface SavedView {
  readonly table: string
  readonly path: string
  readonly name: string
  readonly search: Search
}

// The scope is part of the storage key, and the others are no filters.
const passing = new Set(['scope', 'organization', 'create', 'live'])

/** The search parameters that a view keeps. */
export function viewSearch(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([name, value]) => value !== undefined && !passing.has(name)))
}

export function isSameView(view: SavedView, search: Search): boolean {
  return textOf(view.search) === textOf(viewSearch(search))
}

function textOf(search: Search): string {
  return JSON.stringify(Object.entries(search).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Adds a view. A view of the same table and name is replaced. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  return [...withoutView(views, view), view].toSorted((one, other) => one.name.localeCompare(other.name))
}

export function withoutView(views: readonly SavedView[], { table, name }: SavedView): readonly SavedView[] {
  return views.filter((view) => view.table !== table || view.name !== name)
}

/** Reads stored views. What another version or a person wrote there is ignored. */
export function parseViews(text: string | null): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored.filter(isView) : []
  } catch {
    return []
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false
  const { table, path, name, search } = value as Record<string, unknown>
  const isNamed = [table, path, name].every((text) => typeof text === 'string' && text !== '')
  return isNamed && typeof search === 'object' && search !== null && !Array.isArray(search)
}
