import type { Finding } from '../lib/finding.ts'
import type { SourceFile } from '../lib/source-file.ts'
import { judgeAlone } from './judge-alone.ts'
import { judgeChance } from './judge-chance.ts'
import { judgeCommentWidth } from './judge-comment-width.ts'
import { judgeDependencies } from './judge-dependencies.ts'
import { judgeFileNames } from './judge-file-names.ts'
import { judgeFolderSize } from './judge-folder-size.ts'
import { judgeLanguage } from './judge-language.ts'
import { judgeLinks } from './judge-links.ts'
import { judgeMigrations } from './judge-migrations.ts'
import { judgeMutated } from './judge-mutated.ts'
import { judgeOrphans } from './judge-orphans.ts'
import { judgeSqlFunctions } from './judge-sql-functions.ts'
import { judgeStages } from './judge-stages.ts'
import { judgeText } from './judge-text.ts'
import { judgeVendors } from './judge-vendors.ts'
import { judgeWay } from './judge-way.ts'
import { judgeWiring } from './judge-wiring.ts'

/** The style guide, rule by rule. Each rule sees the whole tree. */
export const rules = [
  judgeFolderSize,
  judgeFileNames,
  judgeText,
  judgeOrphans,
  judgeVendors,
  judgeLinks,
  judgeDependencies,
  judgeStages,
  judgeAlone,
  judgeChance,
  judgeSqlFunctions,
  judgeMigrations,
  judgeLanguage,
  judgeCommentWidth,
  judgeWiring,
  judgeWay,
  judgeMutated,
] as const satisfies readonly ((files: readonly SourceFile[]) => Finding[])[]
