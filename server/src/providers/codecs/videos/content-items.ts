import type { VideoTask } from '#domain/video/video-task.ts'
import type { JsonObject } from '#lib/json.ts'
import { firstFrameOf } from './refuse-task.ts'

/** The prompt and every input as an array of items with roles, as Ark and MiniMax require. */
export function contentItems(task: VideoTask, host: string): JsonObject[] {
  return [{ type: 'text', text: task.prompt }, ...inputItems(task, host)]
}

function inputItems(task: VideoTask, host: string): JsonObject[] {
  switch (task.task) {
    case 'image_to_video':
      return [imageItem(firstFrameOf(task, host), 'first_frame')]
    case 'keyframes': {
      const first = imageItem(firstFrameOf(task, host), 'first_frame')
      return task.lastFrame === null ? [first] : [first, imageItem(task.lastFrame, 'last_frame')]
    }
    case 'reference_to_video':
      return task.references.map((url) => imageItem(url, 'reference_image'))
    case 'video_edit':
    case 'continuation':
      return task.inputVideo === null
        ? []
        : [{ type: 'video_url', video_url: { url: task.inputVideo.url }, role: 'reference_video' }]
    default:
      return []
  }
}

function imageItem(url: string, role: string): JsonObject {
  return { type: 'image_url', image_url: { url }, role }
}
