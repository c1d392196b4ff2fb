import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Processes inherit it: importing the gateway takes half the time when Node finds what it compiled in an earlier one.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../.weir/compile-cache')

/**
 * The tests that drive a browser; `npm run console` builds the console and runs them. Unit tests run with those of the
 * server.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.e2e.test.ts'],
    // It ends what hangs, and nothing else: a busy machine may take many times as long as a quiet one.
    testTimeout: 600_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    pool: 'forks',
    // A process has one gateway, one mail server and one browser for all of its files. Pages wait more than they
    // calculate, so two keep two cores busy.
    maxWorkers: 2,
    isolate: false,
    globalSetup: ['../server/test/setup/engines.ts'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})
