import { writeAccess } from './write-access.ts'
import { writeConfiguration } from './write-configuration.ts'
import { writeErrors } from './write-errors.ts'
import { writeProviders } from './write-providers.ts'
import { writeOperatorTable, writeRoleSummaries, writeRoleTable } from './write-role-table.ts'
import { writeScopes } from './write-scopes.ts'
import { writeTools } from './write-tools.ts'

/** The documents and tables that are generated from code, so that they cannot contradict it. */
export const documents = [
  { path: 'docs/access.md', write: writeAccess },
  { path: 'docs/configuration.md', write: writeConfiguration },
  { path: 'docs/errors.md', write: writeErrors },
  { path: 'docs/providers.md', write: writeProviders },
  { path: 'console/src/app/role-table.ts', write: writeRoleTable },
  { path: 'console/src/app/operator-table.ts', write: writeOperatorTable },
  { path: 'console/src/pages/roles/role-summaries.ts', write: writeRoleSummaries },
  { path: 'docs/scopes.md', write: writeScopes },
  { path: 'docs/tools.md', write: writeTools },
] as const satisfies readonly { path: string; write: () => string }[]
