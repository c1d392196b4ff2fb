import type { Usage } from '#domain/inference/usage.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import { videoUsage } from '#domain/video/video-usage.ts'
import { countAt, type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { frameSizeOf } from '#providers/codecs/videos/frame-size.ts'
import { statedMs } from '#providers/codecs/videos/stated-length.ts'
import { statedResolution } from '#providers/codecs/videos/stated-resolution.ts'

/** Seedance bills tokens, which it counts itself. If it reported none, they are computed from the reported output. */
export function seedanceUsage(job: JsonObject, task: VideoTask): Usage {
  const resolution = statedResolution(job.resolution)
  const outputVideoMs = statedMs(job.duration) ?? task.durationS * 1_000
  const made: VideoTask = {
    ...task,
    resolution: resolution ?? task.resolution,
    aspectRatio: stringAt(job, 'ratio') ?? task.aspectRatio,
  }
  const counted = countAt(objectAt(job, 'usage'), 'completion_tokens') ?? 0
  return videoUsage(task, {
    outputVideoMs,
    videoTokens: counted > 0 ? counted : tokensOf(made, outputVideoMs),
    ...(resolution === undefined ? {} : { variant: { resolution } }),
  })
}

const framesPerSecond = 24
const pixelsPerToken = 1_024

function tokensOf(made: VideoTask, ms: number): number {
  const { width, height } = frameSizeOf(made) ?? { width: 1_280, height: 720 }
  return Math.ceil((width * height * framesPerSecond * ms) / (pixelsPerToken * 1_000))
}
