import type { AccessRow } from '../../server/src/domain/access/access-row.ts'
import { accessTable } from '../../server/src/domain/access/access-table.ts'
import { operatorRoles } from '../../server/src/domain/access/operator-roles.ts'
import { roles } from '../../server/src/domain/access/roles.ts'
import { markdownTable } from './markdown-table.ts'

const credentials = [
  'standard_key',
  'management_key',
  'institution_session',
  'customer_token',
  'session',
  'operator_key',
] as const

export function writeAccess(): string {
  const rows: [string, AccessRow][] = Object.entries(accessTable)
  const everywhere = rows.map(([action, row]) => [
    `\`${action}\``,
    row.summary,
    row.credentials.length === 0
      ? 'everybody'
      : credentials
          .filter((kind) => row.credentials.includes(kind))
          .map(nameOf)
          .join(', '),
  ])
  const inside = rows
    .filter(([, row]) => row.within === 'organization')
    .map(([action, row]) => [`\`${action}\``, row.summary, ...roles.map((role) => reachOf(row, role))])
  const operated = rows
    .filter(([, row]) => row.operators !== undefined)
    .map(([action, row]) => [
      `\`${action}\``,
      row.summary,
      ...operatorRoles.map((role) => (row.operators?.includes(role) === true ? 'yes' : '–')),
    ])
  return `# Who may do what

Generated from \`server/src/domain/access/access-table.ts\` by \`npm run docs\`; do not edit.

Every endpoint names one of these actions, and nothing else decides who may call it.

## With which credential
${markdownTable(['Action', 'What it is', 'Accepts'], everywhere)}

## With which role in the organization
An organization that the principal does not belong to answers 404, like one that never was. With a management key only an \`org_admin\`
passes; the powers of the other roles hold with a session on the website.

${markdownTable(['Action', 'What it is', ...roles.map((role) => `\`${role}\``)], inside)}

## With which role of an operator
Each operator has one of these roles, and so has each operator key.

${markdownTable(['Action', 'What it is', ...operatorRoles.map((role) => `\`${role}\``)], operated)}
`
}

function nameOf(credential: string): string {
  return credential.replaceAll('_', ' ')
}

function reachOf(row: AccessRow, role: (typeof roles)[number]): string {
  const reach = row.roles?.[role]
  if (reach === undefined) return '–'
  return reach === 'organization' ? 'yes' : 'own team'
}
