import type { VideoTask, VideoTaskKind } from '#domain/video/video-task.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import { ratioOf } from '#providers/codecs/videos/frame-size.ts'
import { hostDuration } from '#providers/codecs/videos/host-duration.ts'
import { passedOn } from '#providers/codecs/videos/passed-on.ts'
import type { LumaApi } from './luma-api.ts'

const tasks: readonly VideoTaskKind[] = ['text_to_video', 'image_to_video', 'keyframes', 'video_edit']

/** The current API. Its links live for an hour. */
export const lumaAgents: LumaApi = {
  tasks,
  host: 'agents.lumalabs.ai',
  prefix: '/v1',
  seconds,
  orderOf: (task, target) => ({ path: '/generations', body: orderOf(task, target) }),
  statusOf: ({ state }) => (state === 'processing' ? 'in_progress' : state),
  linksOf: ({ output }) =>
    (Array.isArray(output) ? output.filter(isJsonObject) : []).map(({ type = 'video', url }) =>
      type === 'video' ? url : undefined,
    ),
}

/** Videos from an image last five seconds (docs.comfy.org, LumaRay32ImageToVideoNode). */
function seconds(task: VideoTask, target: MediaTarget): number {
  if (task.task === 'video_edit') return task.durationS
  return hostDuration(task, 'Luma', task.task === 'text_to_video' ? [5, 10] : [5], target)
}

function orderOf(task: VideoTask, target: MediaTarget): JsonObject {
  const isEdit = task.task === 'video_edit'
  const video = {
    resolution: task.resolution?.toLowerCase(),
    ...(isEdit ? {} : { duration: `${seconds(task, target)}s` }),
    ...(task.firstFrame === null ? {} : { start_frame: { url: task.firstFrame } }),
    ...(task.lastFrame === null ? {} : { end_frame: { url: task.lastFrame } }),
  }
  return {
    ...passedOn(task, target),
    model: target.upstreamModel,
    type: isEdit ? 'video_edit' : 'video',
    prompt: task.prompt,
    aspect_ratio: ratioOf(task, ['9:16', '3:4', '1:1', '4:3', '16:9', '21:9'], target),
    video,
    ...(task.inputVideo === null ? {} : { source: { url: task.inputVideo.url, media_type: 'video/mp4' } }),
    ...fixedParameters(target),
  }
}
