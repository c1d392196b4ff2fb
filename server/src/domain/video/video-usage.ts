import { type MediaUsage, noUsage, type Usage } from '#domain/inference/usage.ts'
import type { VideoTask } from './video-task.ts'

/** What prices of videos differ by. */
function videoVariant(task: VideoTask): Record<string, string> {
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

/** For the widest frame of a resolution, which is 21:9. A name without a height may mean the highest resolution. */
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
