import type { MediaTarget } from '#providers/codecs/target.ts'
import { tasksOf, type VideoCodec } from '#providers/codecs/video-codec.ts'
import { hailuo3Videos } from './hailuo3.ts'
import { hailuoVideos } from './hailuo.ts'

/** MiniMax has two video APIs, and the model decides which is used. */
export const minimaxVideos: VideoCodec = {
  tasks: hailuo3Videos.tasks,
  tasksFor: (upstreamModel) => tasksOf(apiFor({ upstreamModel }), upstreamModel),
  submit: (task, target, name) => apiFor(target).submit(task, target, name),
  poll: (reference, target, task) => apiFor(target).poll(reference, target, task),
}

function apiFor({ upstreamModel }: Pick<MediaTarget, 'upstreamModel'>): VideoCodec {
  return /^MiniMax-H\d/i.test(upstreamModel) ? hailuo3Videos : hailuoVideos
}
