import { createFilterThreads, type FilterThreads, type FilterThreadsOptions } from '#net/filters/filter-threads.ts'

/** The filter engine of a process, with the file that its threads run. */
export function createFilterEngine(options: Omit<FilterThreadsOptions, 'entry'> = {}): FilterThreads {
  return createFilterThreads({ ...options, entry: new URL('../filter-worker.ts', import.meta.url) })
}
