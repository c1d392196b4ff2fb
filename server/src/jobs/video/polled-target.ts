import type { VideoTask } from '#domain/video/video-task.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'

/**
 * The target of a job that runs. The operator may have named shorter videos since it was ordered, and it is still what
 * was ordered.
 */
export function polledTarget(target: MediaTarget, { durationS }: Pick<VideoTask, 'durationS'>): MediaTarget {
  const durations = target.forms?.durations
  if (durations === undefined || durations.some((seconds) => seconds >= durationS)) return target
  return { ...target, forms: { ...target.forms, durations: [durationS] } }
}
