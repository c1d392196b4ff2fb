import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Runs tests of rules unchanged, in one process. A mutant that hangs hits the time limit of its test. */
export default defineConfig({
  root: join(import.meta.dirname, '../../../server'),
  test: {
    include: ['src/**/*.test.ts', '../console/src/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})
