import type { AccessRow } from '../../server/src/domain/access/access-row.ts'
import { accessTable } from '../../server/src/domain/access/access-table.ts'
import { operatorActions } from '../../server/src/domain/access/operator-actions.ts'
import { operatorRoles } from '../../server/src/domain/access/operator-roles.ts'
import { roles } from '../../server/src/domain/access/roles.ts'

const head = '// Generated from `server/src/domain/access/access-table.ts` by `npm run docs`; do not edit.\n'

const operatorHead =
  '// Generated from `server/src/domain/access/operator-actions.ts` by `npm run docs`; do not edit.\n'

const rows: readonly [string, AccessRow][] = Object.entries(accessTable).filter(
  ([, { within }]) => within === 'organization',
)

/** The access table within an organization, for the console: which roles may perform an action, and how far. */
export function writeRoleTable(): string {
  const lines = rows.map(([action, row]) => {
    const reaches = roles.flatMap((role) => {
      const reach = row.roles?.[role]
      return reach === undefined ? [] : [`${role}: ${quote(reach)}`]
    })
    return `  ${quote(action)}: { ${reaches.join(', ')} },\n`
  })
  return `${head}
export const roles = [${roles.map(quote).join(', ')}] as const
export type Role = (typeof roles)[number]

/** The whole organization, or the own team and its members. */
export type Reach = 'organization' | 'own_team'

/** Roles that are not listed may not perform the action. */
export const roleTable = {
${lines.join('')}} as const satisfies Readonly<Record<string, Readonly<Partial<Record<Role, Reach>>>>>
`
}

/** The actions of operators, for the console: which roles may perform them. */
export function writeOperatorTable(): string {
  const lines = Object.entries(operatorActions).map(
    ([action, { operators }]) => `  ${quote(action)}: [${operators.map(quote).join(', ')}],\n`,
  )
  return `${operatorHead}
export const operatorRoles = [${operatorRoles.map(quote).join(', ')}] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** Roles that are not listed may not perform the action. */
export const operatorTable = {
${lines.join('')}} as const satisfies Readonly<Record<string, readonly OperatorRole[]>>
`
}

/** What each action is. Only one page shows it, so it is a file of its own. */
export function writeRoleSummaries(): string {
  const lines = rows.map(([action, { summary }]) => {
    const line = `  ${quote(action)}: ${quote(summary)},\n`
    return line.length <= 121 ? line : `  ${quote(action)}:\n    ${quote(summary)},\n`
  })
  return `${head}
import type { roleTable } from '../../app/role-table.ts'

export const roleSummaries = {
${lines.join('')}} as const satisfies Readonly<Record<keyof typeof roleTable, string>>
`
}

function quote(text: string): string {
  return text.includes("'") ? JSON.stringify(text) : `'${text}'`
}
