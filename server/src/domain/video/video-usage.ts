import { type MediaUsage, noUsage, type Usage } from '#domain/inference/usage.ts'
import type { VideoTask } from './video-task.ts'

/** The variant that selects the price of a video. */
function videoVariant(task: VideoTask): Record<string, string> {
  return {
    task: task.task,
    audio: String(task.audio),
    input_video: String(task.inputVideo !== null),
    ...(task.resolution === null ? {} : { resolution: task.resolution.toLowerCase() }),
  }
}

/** The usage that a video is charged by, unless its provider reports better figures: the ordered seconds. */
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

/** The maximum usage of a video, including the tokens that some providers count. */
export function worstVideo(task: VideoTask): Usage {
  const pixels = task.size === null ? pixelsOf(task.resolution) : task.size.width * task.size.height
  // Providers that count tokens also count those of an input video.
  const seconds = task.durationS + (task.inputVideo?.durationMs ?? 0) / 1_000
  const videoTokens = Math.ceil((pixels * framesPerSecond * seconds) / pixelsPerToken)
  return videoUsage(task, { videoTokens })
}

/**
 * Pixels of the widest frame of a resolution, which is 21:9. A name without a height may mean the highest resolution.
 */
function pixelsOf(resolution: string | null): number {
  const height = heightOf(resolution?.toLowerCase() ?? '1080p')
  return height * Math.ceil((height * 7) / 3)
}

function heightOf(resolution: string): number {
  // Some providers generate 768 lines for 720p.
  if (resolution === '720p') return 768
  if (resolution === '2k') return 1_440
  const [, height] = /^(\d{3,4})p$/.exec(resolution) ?? []
  return height === undefined ? 2_160 : Number(height)
}
