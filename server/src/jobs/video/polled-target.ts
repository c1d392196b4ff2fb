import type { VideoTask } from '#domain/video/video-task.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'

/** The target of a running job. The operator may have limited the duration since, but the order stays valid. */
export function polledTarget(target: MediaTarget, { durationS }: Pick<VideoTask, 'durationS'>): MediaTarget {
  const durations = target.forms?.durations
  if (durations === undefined || durations.some((seconds) => seconds >= durationS)) return target
  return { ...target, forms: { ...target.forms, durations: [durationS] } }
}
