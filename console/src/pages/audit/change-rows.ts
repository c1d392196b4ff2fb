import { formatUtc } from '../../lib/time.ts'

export interface ChangeRow {
  readonly field: string
  /** Undefined if the value did not exist. */
  readonly before: string | undefined
  readonly after: string | undefined
}

const shownMax = 2

/** The first changes in a line, such as `Weight: 1 → 3, 2 more`. Without changed values, the details. */
export function changeInWords({
  before,
  after,
  details,
}: {
  readonly before: Values
  readonly after: Values
  readonly details: Values
}): string {
  const isChange = before !== null && after !== null
  const rows = isChange ? changeRows(before, after) : changeRows(withoutNames(before), withoutNames(after ?? details))
  const shown = rows.slice(0, shownMax).map(({ field, before: old, after: current }) => {
    if (old === undefined) return `${field}: ${current}`
    return current === undefined ? `${field}: ${old}, removed` : `${field}: ${old} → ${current}`
  })
  return [...shown, ...(rows.length > shownMax ? [`${rows.length - shownMax} more`] : [])].join(', ')
}

const nameForm = /^name$|^models$|Ids?$/

/** Without what the columns of the actor, the customer and the subject say. */
function withoutNames(values: Values): Values {
  if (values === null) return null
  return Object.fromEntries(Object.entries(values).filter(([field]) => !nameForm.test(field)))
}

type Values = Readonly<Record<string, unknown>> | null

/** The values of an entry, one row per field. Fields of nested objects have rows of their own. */
export function changeRows(before: Values, after: Values): ChangeRow[] {
  const [old, current] = [flatten(before ?? {}), flatten(after ?? {})]
  const fields = [...new Set([...old.keys(), ...current.keys()])]
  return fields.map((field) => ({ field: fieldInWords(field), before: old.get(field), after: current.get(field) }))
}

function flatten(values: Readonly<Record<string, unknown>>, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(values).flatMap(([name, value]): [string, string][] =>
      isObject(value) ? [...flatten(value, `${prefix}${name}.`)] : [[prefix + name, valueInWords(value)]],
    ),
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `monthly_limit` and `monthlyLimit` are both `Monthly limit`. */
export function fieldInWords(field: string): string {
  const words = field
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[._]/g, ' ')
    .toLowerCase()
    .replaceAll(/\bid(s?)\b/g, 'ID$1')
    .replaceAll(/\bcidr(s?)\b/g, 'CIDR$1')
    .replaceAll(/\busd\b/g, 'USD')
    .replaceAll(/\bcb\b/g, 'spend breaker')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const momentForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/

function valueInWords(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map(valueInWords).join(', ')
  if (typeof value === 'string' && momentForm.test(value)) return formatUtc(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
