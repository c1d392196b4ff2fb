import { operatorRoles } from '../../../app/operator-table.ts'
import { operatorWords } from '../../../app/operator-words.ts'
import type { Choice } from '../../../ui/field.tsx'

/** The roles with what each may do, for a select. */
export const roleChoices: readonly Choice[] = operatorRoles.map((role) => ({
  value: role,
  label: `${operatorWords[role].label} – ${operatorWords[role].description}`,
}))
