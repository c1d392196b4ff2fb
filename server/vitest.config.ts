import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', '../tools/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Tests wait for engines and sockets more than they calculate, so three files at once keep two cores busy.
    maxWorkers: 3,
    globalSetup: ['test/setup/engines.ts'],
  },
})
