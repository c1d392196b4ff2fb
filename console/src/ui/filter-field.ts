import type { Choice } from './field.tsx'
import type { FindChoices } from './use-found-choices.ts'

/** A filter of a list, whose value is the search parameter `name`. */
export type FilterField = { readonly name: string; readonly label: string } & (
  | {
      readonly type: 'choice'
      readonly choices: readonly Choice[]
      /** Values outside the list are valid too: it shows only some of them, or is still loading. */
      readonly isOpen?: boolean
      /** Finds the choices on the server, for lists that are too long to load. */
      readonly find?: FindChoices
    }
  | { readonly type: 'text'; readonly hint?: string; readonly parse?: (text: string) => string | undefined }
  | {
      readonly type: 'number'
      readonly hint?: string
      /** Such as `≤ $3` for `3`. */
      readonly words?: (value: string) => string
    }
  /** On or off. */
  | { readonly type: 'flag' }
)

export type Search = Readonly<Record<string, unknown>>

const numberForm = /^\d{1,12}(?:\.\d{1,9})?$/

/** The value of a filter in the URL, or undefined if it has none or an invalid one. */
export function filterValue(field: FilterField, search: Search): string | undefined {
  const found = search[field.name]
  if (field.type === 'flag') return found === true ? 'true' : undefined
  return typeof found === 'string' || typeof found === 'number' ? parseFilter(field, String(found)) : undefined
}

/** The value that a person entered, or undefined if it is invalid. */
export function parseFilter(field: FilterField, text: string): string | undefined {
  const value = text.trim()
  if (value === '') return undefined
  if (field.type === 'number') return numberForm.test(value) ? value : undefined
  if (field.type === 'text' && field.parse !== undefined) return field.parse(value)
  if (field.type !== 'choice' || field.isOpen === true || field.find !== undefined) return value
  return field.choices.some((choice) => choice.value === value) ? value : undefined
}

/** The search parameter of a valid value. */
export function searchOf({ name, type }: FilterField, value: string | undefined): Search {
  return { [name]: value !== undefined && type === 'flag' ? true : value }
}

/** The words of a chip: `Model: test/echo`. */
export function chipWords(field: FilterField, value: string): string {
  if (field.type === 'flag') return field.label
  return `${field.label}: ${valueWords(field, value)}`
}

function valueWords(field: FilterField, value: string): string {
  if (field.type === 'choice') return field.choices.find((choice) => choice.value === value)?.label ?? value
  return field.type === 'number' ? (field.words?.(value) ?? value) : value
}

/** The filters that are set, in the order of the fields. */
export function setFilters(fields: readonly FilterField[], search: Search) {
  return fields.flatMap((field) => {
    const value = filterValue(field, search)
    return value === undefined ? [] : [{ field, value }]
  })
}
