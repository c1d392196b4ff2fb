import type { Uuid } from '#lib/uuid.ts'

export interface AnswerLeases {
  keep(id: Uuid): void
  release(id: Uuid): void
  stop(): void
}

/** Renews the leases of the answers that this process writes, all in one statement. */
export function createAnswerLeases(
  answers: { renew(ids: readonly Uuid[]): Promise<void> },
  { everyMs, onError }: { everyMs: number; onError: (error: unknown) => void },
): AnswerLeases {
  const open = new Set<Uuid>()
  const timer = setInterval(() => {
    if (open.size > 0) answers.renew([...open]).catch(onError)
  }, everyMs)
  timer.unref()
  return {
    keep: (id) => void open.add(id),
    release: (id) => void open.delete(id),
    stop: () => clearInterval(timer),
  }
}
