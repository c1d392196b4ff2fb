import type { TranscriptionTask } from '#domain/media/media-task.ts'

type Hint = 'language' | 'prompt' | 'temperature'

/** The hints of a task that an upstream does not support. */
export function untold(task: TranscriptionTask, hints: readonly Hint[]): Hint[] {
  return hints.filter((hint) => task[hint] !== null)
}
