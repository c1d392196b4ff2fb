import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { repositoryRoot } from '../lib/repository-root.ts'
import { type FileTime, fileTimesPath } from './file-time.ts'

/**
 * A vitest reporter that writes how long each file took, including its imports and hooks, which the JSON reporter
 * leaves out.
 */
export default class FileTimesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const times = modules.map((module): FileTime => {
      const { collectDuration, setupDuration, duration } = module.diagnostic()
      return {
        path: relative(repositoryRoot, module.moduleId),
        seconds: (collectDuration + setupDuration + duration) / 1_000,
        tests: [...module.children.allTests()].length,
        hasFailed: !module.ok(),
      }
    })
    mkdirSync(dirname(fileTimesPath), { recursive: true })
    writeFileSync(fileTimesPath, JSON.stringify(times))
  }
}
