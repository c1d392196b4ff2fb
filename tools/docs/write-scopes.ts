import { type Scope, scopes } from '../../server/src/domain/limits/scopes.ts'
import { errorCatalogue } from '../../server/src/errors/catalogue.ts'
import { markdownTable } from './markdown-table.ts'

export function writeScopes(): string {
  const rows = scopes.map((scope: Scope) => {
    const { status, code } = errorCatalogue[scope.refusal]
    return [`\`${scope.kind}\``, scope.kind.split('_')[0] ?? '', scope.length, `${status} \`${code}\``]
  })
  return `# Spend limits

Generated from \`server/src/domain/limits/scopes.ts\` by \`npm run docs\`; do not edit.

A request is held for before it is sent on, in the wallet and in every window below that has a limit, all or none. What is
held and what is spent both count. Windows follow the UTC clock: weeks start on Monday, months on the 1st, and a window of
\`life\` never ends.

${markdownTable(['Scope', 'Whose limit', 'Window', 'Refusal'], rows)}
`
}
