import type { Finding } from '../lib/finding.ts'
import type { SourceFile } from '../lib/source-file.ts'
import { judgeCycles, judgeFolderCycles } from './judge-cycles.ts'
import { judgeExpectations } from './judge-expectations.ts'
import { judgeLayers } from './judge-layers.ts'
import { judgeNesting } from './judge-nesting.ts'
import { judgeOracle } from './judge-oracle.ts'
import { judgePackages } from './judge-packages.ts'
import { judgePostgresClients } from './judge-postgres-clients.ts'
import { judgePurity } from './judge-purity.ts'
import { judgeResolution } from './judge-resolution.ts'
import { judgeSiblings } from './judge-siblings.ts'
import { type Module, readModules, sourceFolder } from './read-modules.ts'

/** Compares the imports of all trees with their layers. Tests may import any file, but no expectations. */
export function checkImports(files: readonly SourceFile[], modulesMin = 40): ImportsReport {
  const everything = readModules(files)
  const modules = everything.filter((module) => !module.isTest)
  const server = modules.filter(({ path }) => path.startsWith(sourceFolder))
  const findings = [
    ...noteInexactCounts(modules, modulesMin),
    ...judgeResolution(everything),
    ...judgeLayers(modules),
    ...judgeSiblings(server),
    ...judgeNesting(server),
    ...judgePackages(server),
    ...judgePostgresClients(server),
    ...judgeOracle(files),
    ...judgeExpectations(files),
    ...judgePurity(server),
    ...judgeCycles(modules),
    ...judgeFolderCycles(server),
  ]
  return { modules: modules.length, findings }
}

type ImportsReport = { readonly modules: number; readonly findings: readonly Finding[] }

/** A check that reads almost no files would pass for the wrong reason. */
function noteInexactCounts(modules: readonly Module[], modulesMin: number): Finding[] {
  return [sourceFolder, 'console/src/', 'tools/'].flatMap((path) => {
    const count = modules.filter((module) => module.path.startsWith(path)).length
    if (count >= modulesMin) return []
    return [{ rule: 'too-few', path, message: `saw ${count} modules, expected at least ${modulesMin}` }]
  })
}
