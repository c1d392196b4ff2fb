import type { Log } from '#lib/log.ts'
import type { Part } from './part.ts'

export interface IndexJobDeps {
  /** Returns how many indexes were missing and have been built. */
  readonly build: () => Promise<number>
  readonly close: () => Promise<void>
}

const everyMs = 3_600_000

/** Builds the indexes that a migration must not build, because writers would wait for it. */
export function indexPart({ build, close }: IndexJobDeps, log: Pick<Log, 'info'>): Part {
  return {
    name: 'indexes',
    everyMs,
    run: async () => {
      const built = await build()
      if (built > 0) log.info({ built }, 'built indexes')
    },
    end: close,
  }
}
