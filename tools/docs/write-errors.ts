import { type ErrorRow, errorCatalogue } from '../../server/src/errors/catalogue.ts'
import { markdownTable } from './markdown-table.ts'

export function writeErrors(): string {
  const rows = Object.entries<ErrorRow>(errorCatalogue)
    .sort(([, one], [, other]) => one.status - other.status)
    .map(([name, row]) => [
      String(row.status),
      `\`${row.code}\``,
      `\`${row.type}\``,
      row.owner,
      row.tellNotToRetry === true ? 'no' : '',
      `\`${name}\``,
    ])
  return `# Errors

Generated from \`server/src/errors/catalogue.ts\` by \`npm run docs\`; do not edit.

Every refusal has the body \`{"error": {"message", "type", "code"}}\`. The code is a word where a specific remedy exists,
else the status as a number. The owner says whose mistake it is. Where retrying is marked \`no\`, the answer carries
\`x-should-retry: false\`. The name is that of the row in code and in logs.

${markdownTable(['Status', 'Code', 'Type', 'Owner', 'Retry', 'Name'], rows)}
`
}
