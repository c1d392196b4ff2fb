import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { needsOwnProcess } from './test/setup/needs-own-process.ts'

const include = ['src/**/*.test.ts', 'test/**/*.test.ts', '../tools/**/*.test.ts']
const alone = globSync(include, { cwd: import.meta.dirname }).filter((path) =>
  needsOwnProcess(readFileSync(join(import.meta.dirname, path), 'utf8')),
)

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Tests wait for engines and sockets more than they calculate, so three files at once keep two cores busy.
    maxWorkers: 3,
    globalSetup: ['test/setup/engines.ts'],
    projects: [
      // Most of a short file's time would go into importing the gateway again, so files that leave no trace share processes.
      { extends: true, test: { name: 'shared', include, exclude: alone, isolate: false } },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
})
