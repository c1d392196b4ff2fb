import type { OperatorRole } from '../../../app/operator-table.ts'
import { operatorWords } from '../../../app/operator-words.ts'
import type { Column } from '../../../ui/column.ts'

/** The role of a person or of a key. */
export const roleColumn: Column<{ readonly role: OperatorRole }> = {
  id: 'role',
  header: 'Role',
  cell: ({ role }) => operatorWords[role].label,
  csv: ({ role }) => role,
  width: 120,
  onPhone: 'figure',
}
