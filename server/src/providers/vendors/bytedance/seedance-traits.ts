import type { VideoTaskKind } from '#domain/video/video-task.ts'
import { secondsFromTo } from '#providers/codecs/videos/host-duration.ts'

/** The tasks and formats that one model generation supports. */
interface SeedanceTraits {
  readonly tasks: readonly VideoTaskKind[]
  readonly seconds: readonly number[]
  readonly referencesMax: number
  /** Supports the field for sound, which is on by default. */
  readonly takesAudio: boolean
}

/**
 * Volcengine's names are BytePlus' names with the prefix `doubao-`. Endpoint ids say nothing and count as the newest.
 */
export function seedanceTraitsOf(model: string): SeedanceTraits {
  return families.find(([form]) => form.test(model))?.[1] ?? newest
}

const framed: readonly VideoTaskKind[] = ['text_to_video', 'image_to_video', 'keyframes']

const newest: SeedanceTraits = {
  tasks: [...framed, 'reference_to_video', 'video_edit'],
  seconds: secondsFromTo(4, 15),
  referencesMax: 9,
  takesAudio: true,
}

const silent: SeedanceTraits = { tasks: framed, seconds: secondsFromTo(2, 12), referencesMax: 0, takesAudio: false }

const families: readonly (readonly [RegExp, SeedanceTraits])[] = [
  [/seedance-1-0-lite-t2v/, { ...silent, tasks: ['text_to_video'] }],
  [
    /seedance-1-0-lite-i2v/,
    { ...silent, tasks: ['image_to_video', 'keyframes', 'reference_to_video'], referencesMax: 4 },
  ],
  [/seedance-1-0-pro-fast/, { ...silent, tasks: ['text_to_video', 'image_to_video'] }],
  [/seedance-1-0/, silent],
  [/seedance-1-5/, { tasks: framed, seconds: secondsFromTo(4, 12), referencesMax: 0, takesAudio: true }],
  [/seedance-2-5/, { ...newest, seconds: secondsFromTo(4, 30) }],
]
