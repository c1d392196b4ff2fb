import type { Finding } from '../lib/finding.ts'
import type { SourceFile } from '../lib/source-file.ts'
import { judgeCycles } from './judge-cycles.ts'
import { judgeExpectations } from './judge-expectations.ts'
import { judgeLayers } from './judge-layers.ts'
import { judgeNesting } from './judge-nesting.ts'
import { judgeOracle } from './judge-oracle.ts'
import { judgePackages } from './judge-packages.ts'
import { judgePostgresClients } from './judge-postgres-clients.ts'
import { judgePurity } from './judge-purity.ts'
import { judgeResolution } from './judge-resolution.ts'
import { judgeSiblings } from './judge-siblings.ts'
import { readModules, sourceFolder } from './read-modules.ts'

/** Holds the server's imports against the layer table. Tests may import anything that exists, but no expectation. */
export function checkImports(files: readonly SourceFile[], modulesMin = 40): ImportsReport {
  const everything = readModules(files)
  const modules = everything.filter((module) => !module.isTest)
  const findings = [
    ...noteInexactCount(modules.length, modulesMin),
    ...judgeResolution(everything),
    ...judgeLayers(modules),
    ...judgeSiblings(modules),
    ...judgeNesting(modules),
    ...judgePackages(modules),
    ...judgePostgresClients(modules),
    ...judgeOracle(files),
    ...judgeExpectations(files),
    ...judgePurity(modules),
    ...judgeCycles(modules),
  ]
  return { modules: modules.length, findings }
}

export type ImportsReport = { readonly modules: number; readonly findings: readonly Finding[] }

/** A check that sees next to nothing would pass for the wrong reason. */
function noteInexactCount(count: number, modulesMin: number): Finding[] {
  if (count >= modulesMin) return []
  return [{ rule: 'too-few', path: sourceFolder, message: `saw ${count} modules, expected at least ${modulesMin}` }]
}
