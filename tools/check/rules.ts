import { checkImports } from '../imports/check-imports.ts'
import { countOf } from '../lib/count-of.ts'
import { formatFinding } from '../lib/finding.ts'
import { listFiles } from '../lib/list-files.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { rules } from '../tidy/rules.ts'
import { splitFindings } from './split-findings.ts'

/**
 * `node tools/check/rules.ts [path…]`: the import rules and the style guide, in one process, because reading the tree
 * takes longer than checking it. With paths it fails only for findings about those.
 */
const files = listFiles(repositoryRoot)
const { modules, findings } = checkImports(files)
const everything = [...findings, ...rules.flatMap((rule) => rule(files))]
const paths = process.argv.slice(2)
const { asked, others } = paths.length === 0 ? { asked: everything, others: [] } : splitFindings(everything, paths)

for (const finding of asked) console.log(formatFinding(finding))
console.log(`imports of ${modules} modules, tidiness of ${files.length} files: ${countOf(asked.length, 'finding')}`)
if (others.length > 0) console.log(`${countOf(others.length, 'finding')} about other files; npm run check lists them`)
process.exitCode = asked.length === 0 ? 0 : 1
