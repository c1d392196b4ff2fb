import type { Part } from '#jobs/part.ts'

/** Parts of a worker, and what they share. */
export interface WiredParts {
  readonly parts: readonly Part[]
  /** Once all of them have ended. */
  close(): Promise<void>
}
