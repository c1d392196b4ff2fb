import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { readOrder } from './order.ts'

const server = join(import.meta.dirname, '../../../server')
const { hasEngines, workers } = readOrder()

/**
 * The suite's configuration, with a runner that switches mutants on. It is part of the copied tree that contains the
 * mutants.
 */
export default defineConfig({
  root: server,
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', '../console/src/**/*.test.ts'],
    exclude: [...configDefaults.exclude, '**/*.alone.test.ts'],
    runner: join(import.meta.dirname, 'mutant-runner.ts'),
    // A test runs hundreds of times.
    testTimeout: 3_600_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 10_000, interval: 20 } },
    pool: 'forks',
    isolate: false,
    maxWorkers: workers,
    globalSetup: hasEngines ? [join(server, 'test/setup/engines.ts')] : [],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // A mutant may leave a rejected promise without a handler.
    dangerouslyIgnoreUnhandledErrors: true,
  },
})
