import { listFiles } from '../lib/list-files.ts'
import { reportFindings } from '../lib/report-findings.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { rules } from './rules.ts'

const files = listFiles(repositoryRoot)
reportFindings(
  rules.flatMap((rule) => rule(files)),
  `tidiness of ${files.length} files`,
)
