import { shareByName } from '#lib/share-by-name.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Answers, AnswerProgress } from '#ports/answers.ts'

// All clients of this process that wait for one answer cause at most twenty reads per second.
const sharedMs = 50

/** Reads the progress of answers: one read serves all clients of this process that wait for the same answer. */
export function createProgressReader(
  answers: Pick<Answers, 'find'>,
  nowMs: () => number,
): (id: Uuid) => Promise<AnswerProgress | null> {
  const share = shareByName<AnswerProgress | null>({ forMs: sharedMs, nowMs })
  return (id) => share(id, () => answers.find(id))
}
