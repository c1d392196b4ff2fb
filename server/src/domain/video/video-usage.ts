import { type MediaUsage, noUsage, type Usage } from '#domain/inference/usage.ts'
import type { VideoTask } from './video-task.ts'

/** What prices of videos differ by. */
export function videoVariant(task: VideoTask): Record<string, string> {
  return {
    task: task.task,
    audio: String(task.audio),
    input_video: String(task.inputVideo !== null),
    ...(task.resolution === null ? {} : { resolution: task.resolution.toLowerCase() }),
  }
}

/** What a video is charged by, where its host says nothing better: the seconds that were asked for. */
export function videoUsage(task: VideoTask, counted: MediaUsage = {}): Usage {
  const inputImages = task.references.length + [task.firstFrame, task.lastFrame].filter((each) => each !== null).length
  return {
    ...noUsage,
    media: {
      outputVideoMs: task.durationS * 1_000,
      ...(task.inputVideo === null ? {} : { inputVideoMs: task.inputVideo.durationMs }),
      ...(inputImages === 0 ? {} : { inputImages }),
      ...counted,
      variant: { ...videoVariant(task), ...counted.variant },
    },
  }
}

const framesPerSecond = 24
const pixelsPerToken = 1_024

/** The most that a video may come to, also in the tokens that some hosts count. */
export function worstVideo(task: VideoTask): Usage {
  const pixels = task.size === null ? pixelsOf(task.resolution) : task.size.width * task.size.height
  // Hosts that count tokens count those of the video they are given as well.
  const seconds = task.durationS + (task.inputVideo?.durationMs ?? 0) / 1_000
  const videoTokens = Math.ceil((pixels * framesPerSecond * seconds) / pixelsPerToken)
  return videoUsage(task, { videoTokens })
}

/** Of the widest frame that a resolution has. */
function pixelsOf(resolution: string | null): number {
  switch (resolution) {
    case '480p':
      return 480 * 1_120
    case '540p':
      return 540 * 1_260
    case '720p':
    case '768p':
      return 768 * 1_792
    case '1080p':
      return 1_080 * 2_520
    case '2k':
      return 1_440 * 3_360
    case '4k':
      return 2_160 * 5_040
    default:
      return 1_080 * 2_520
  }
}
