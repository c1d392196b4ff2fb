import { reportFindings } from '../lib/report-findings.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { checkImports } from './check-imports.ts'

const { modules, findings } = checkImports(repositoryRoot)
reportFindings(findings, `imports of ${modules} modules`)
