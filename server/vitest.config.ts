import { defineConfig } from 'vitest/config'

const all = ['src/**/*.test.ts', 'test/**/*.test.ts', '../tools/**/*.test.ts']
// These files change or measure what a process has in common: environment, clock, signals, memory, threads.
const alone = ['src/**/*.alone.test.ts', 'test/**/*.alone.test.ts']

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Tests wait for engines and sockets more than they calculate, so three files at once keep two cores busy.
    maxWorkers: 3,
    projects: [
      // Importing the gateway takes longer than most files, so the files that leave no trace share processes.
      { extends: true, test: { name: 'shared', include: all, exclude: alone, isolate: false } },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
})
