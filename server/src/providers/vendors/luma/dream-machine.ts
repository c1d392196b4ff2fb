import type { VideoTask, VideoTaskKind } from '#domain/video/video-task.ts'
import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import { ratioOf } from '#providers/codecs/videos/frame-size.ts'
import { hostDuration } from '#providers/codecs/videos/host-duration.ts'
import { passedOn } from '#providers/codecs/videos/passed-on.ts'
import type { LumaApi } from './luma-api.ts'

const tasks: readonly VideoTaskKind[] = ['text_to_video', 'image_to_video', 'keyframes', 'video_edit']

/** The older API, which still has Ray 2. */
export const dreamMachine: LumaApi = {
  tasks,
  host: 'api.lumalabs.ai',
  prefix: '/dream-machine/v1',
  seconds,
  orderOf: (task, target) =>
    task.task === 'video_edit'
      ? { path: '/generations/video/modify', body: editOf(task, target) }
      : { path: '/generations/video', body: orderOf(task, target) },
  statusOf: ({ state }) => (state === 'dreaming' ? 'in_progress' : state),
  linksOf: (generation) => [stringAt(objectAt(generation, 'assets'), 'video')],
}

function seconds(task: VideoTask, target: MediaTarget): number {
  return task.task === 'video_edit' ? task.durationS : hostDuration(task, 'Luma', [5, 9], target)
}

function orderOf(task: VideoTask, target: MediaTarget): JsonObject {
  const frames = {
    ...(task.firstFrame === null ? {} : { frame0: { type: 'image', url: task.firstFrame } }),
    ...(task.lastFrame === null ? {} : { frame1: { type: 'image', url: task.lastFrame } }),
  }
  return {
    ...passedOn(task, target),
    model: target.upstreamModel,
    prompt: task.prompt,
    duration: `${seconds(task, target)}s`,
    resolution: task.resolution?.toLowerCase(),
    aspect_ratio: ratioOf(task, ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', '9:21'], target),
    ...(Object.keys(frames).length === 0 ? {} : { keyframes: frames }),
    ...fixedParameters(target),
  }
}

function editOf(task: VideoTask, target: MediaTarget): JsonObject {
  return {
    // How far the result may differ from its source: there are three modes with three strengths each, and this is the
    // middle one.
    mode: 'flex_2',
    ...passedOn(task, target),
    generation_type: 'modify_video',
    model: target.upstreamModel,
    prompt: task.prompt,
    media: { url: task.inputVideo?.url },
    ...fixedParameters(target),
  }
}
