import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

// Processes inherit it: importing the gateway takes half the time when Node finds what it compiled in an earlier one.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../.weir/compile-cache')

const all = ['src/**/*.test.ts', 'test/**/*.test.ts', '../tools/**/*.test.ts', '../console/src/**/*.test.ts']
// These files change or measure what a process has in common: environment, clock, signals, memory, threads.
const alone = ['src/**/*.alone.test.ts', 'test/**/*.alone.test.ts', '../tools/**/*.alone.test.ts']

// Tool folders above have packages of their own, which the default does not reach.
const exclude = [...configDefaults.exclude, '../**/node_modules/**']

export default defineConfig({
  test: {
    // They end what hangs, and nothing else: a busy machine may take many times as long as a quiet one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Without it `expect.poll` would give up after a second.
    expect: { poll: { timeout: 300_000, interval: 20 } },
    pool: 'forks',
    // Tests wait for engines and sockets more than they calculate, so three files at once keep two cores busy.
    maxWorkers: 3,
    globalSetup: ['test/setup/engines.ts'],
    // Node imports TypeScript by itself and keeps what it compiled; transforming it first costs as much as the tests.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      // Importing the gateway takes longer than most files, so the files that leave no trace share processes.
      {
        extends: true,
        test: { name: 'shared', include: all, exclude: [...exclude, ...alone], isolate: false },
      },
      { extends: true, test: { name: 'alone', include: alone, exclude } },
    ],
  },
})
