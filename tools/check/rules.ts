import { checkImports } from '../imports/check-imports.ts'
import { formatFinding } from '../lib/finding.ts'
import { listFiles } from '../lib/list-files.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { rules } from '../tidy/rules.ts'

/** The import rule and the style guide, in one process, because reading the tree takes longer than judging it. */
const files = listFiles(repositoryRoot)
const { modules, findings } = checkImports(files)
const everything = [...findings, ...rules.flatMap((rule) => rule(files))]

for (const finding of everything) console.log(formatFinding(finding))
console.log(`imports of ${modules} modules, tidiness of ${files.length} files: ${everything.length} findings`)
process.exitCode = everything.length === 0 ? 0 : 1
