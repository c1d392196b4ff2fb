import { renderOverrides } from '#control/operators/render-overrides.ts'
import type { ModelOverrides } from '#domain/routing/trait-overrides.ts'
import { isJsonObject, type JsonValue } from '#lib/json.ts'
import type { ProviderAccountListing } from '#ports/operators.ts'
import { formatTable } from './format-table.ts'

/** Formats the overrides of an account as lines. */
export function overrideLines({ name, overrides }: ProviderAccountListing): string[] {
  if (overrides.length === 0) return [`${name} uses the built-in traits of this version; nothing is overridden`]
  const rows = overrides.flatMap((row) => traitRows(row))
  return formatTable(['MODEL', 'TRAIT', 'OVERRIDE'], rows)
}

function traitRows({ model = 'all models', ...traits }: ModelOverrides): string[][] {
  const [rendered = {}] = renderOverrides([traits])
  return Object.entries(rendered).map(([trait, value]) => [model, trait, shown(value)])
}

function shown(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return value.join(', ')
  if (!isJsonObject(value)) return String(value)
  return Object.entries(value)
    .map(([field, place]) => (field === place ? field : `${field} at ${String(place)}`))
    .join(', ')
}
