import type { VideoTaskKind } from '#domain/video/video-task.ts'
import { secondsFromTo } from '#providers/codecs/videos/host-duration.ts'

/** Which model of a generation serves a task, and the form of its request. */
export interface WanModel {
  readonly name: string
  /** Inputs were separate members until 2.6, and are an array since. */
  readonly form: 'members' | 'list'
  readonly seconds: readonly number[]
}

/**
 * Each kind of task has its own model here, and listings name one of them, mostly the model for text. The names of the
 * others are derived from its plain name; a name with anything after the kind stands only for itself.
 */
export function wanModelFor(model: string, task: VideoTaskKind): WanModel | null {
  const form = /^wanx?2\.[0-6]/.test(model) ? 'members' : 'list'
  const name = nameFor(model, task, form)
  return name === null ? null : { name, form, seconds: secondsOf(model) }
}

/** All tasks that a listed model serves. */
export function wanTasks(model: string): VideoTaskKind[] {
  return kinds.filter((task) => wanModelFor(model, task) !== null)
}

const kinds: readonly VideoTaskKind[] = [
  'text_to_video',
  'image_to_video',
  'keyframes',
  'reference_to_video',
  'continuation',
  'video_edit',
]

function nameFor(model: string, task: VideoTaskKind, form: WanModel['form']): string | null {
  const [, family = '', stated, rest] = /^(.+?)-(t2v|i2v|kf2v|r2v|video-?edit)(-.+)?$/.exec(model) ?? []
  if (stated === undefined) return form === 'list' && !(model.startsWith('wan3') && needsVideo(task)) ? model : null
  const wanted = modelKindFor(task, form)
  if (wanted === stated.replace('-', '')) return model
  if (stated !== 't2v' || rest !== undefined || wanted === 'kf2v' || wanted === null) return null
  return `${family}-${wanted === 'videoedit' && !family.startsWith('wan') ? 'video-edit' : wanted}`
}

/**
 * Whether the task needs an input video. Wan 3.0 is one model for all tasks that start from text and images, but it
 * does not extend or edit videos.
 */
function needsVideo(task: VideoTaskKind): boolean {
  return task === 'continuation' || task === 'video_edit'
}

function modelKindFor(task: VideoTaskKind, form: WanModel['form']): string | null {
  switch (task) {
    case 'text_to_video':
      return 't2v'
    case 'image_to_video':
      return 'i2v'
    case 'keyframes':
      return form === 'list' ? 'i2v' : 'kf2v'
    case 'reference_to_video':
      return 'r2v'
    case 'continuation':
      return form === 'list' ? 'i2v' : null
    case 'video_edit':
      return form === 'list' ? 'videoedit' : null
  }
}

function secondsOf(model: string): readonly number[] {
  if (/^wanx?2\.[0-2]/.test(model)) return [5]
  if (model.startsWith('wan2.5')) return [5, 10]
  return secondsFromTo(2, model.startsWith('wan3') ? 30 : 15)
}
