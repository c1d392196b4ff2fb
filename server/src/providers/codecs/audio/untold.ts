import type { TranscriptionTask } from '#domain/media/media-task.ts'

type Hint = 'language' | 'prompt' | 'temperature'

/** Which of the hints that a host has no word for were given. */
export function untold(task: TranscriptionTask, hints: readonly Hint[]): Hint[] {
  return hints.filter((hint) => task[hint] !== null)
}
