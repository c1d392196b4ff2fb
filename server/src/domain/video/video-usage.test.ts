import { describe, expect, it } from 'vitest'
import { chargeFor } from '#domain/money/charge.ts'
import { type PriceList, type PriceUnit, parsePriceRules, parseUnitPrices } from '#domain/money/price-list.ts'
import { worstChargeOf } from '#domain/money/worst-charge.ts'
import { type VideoTask, type VideoTaskKind, videoTaskKinds } from './video-task.ts'
import { videoUsage, worstVideo } from './video-usage.ts'

/** Frame sizes of providers, written by hand: the widest frame of each resolution. */
const frames: readonly (readonly [resolution: string | null, width: number, height: number])[] = [
  ['480p', 1_120, 480],
  ['540p', 1_260, 540],
  ['720p', 1_680, 720],
  ['720P', 1_792, 768],
  ['768p', 1_792, 768],
  ['1080p', 2_520, 1_080],
  [null, 2_520, 1_080],
  ['1440p', 3_360, 1_440],
  ['2k', 3_360, 1_440],
  ['4k', 5_040, 2_160],
  ['4K', 5_040, 2_160],
  ['best', 5_040, 2_160],
]

const inputMs: Readonly<Record<VideoTaskKind, number | null>> = {
  text_to_video: null,
  image_to_video: null,
  keyframes: null,
  reference_to_video: null,
  continuation: 8_000,
  video_edit: 5_500,
}

function taskOf(task: VideoTaskKind, resolution: string | null, audio: boolean): VideoTask {
  const durationMs = inputMs[task]
  return {
    kind: 'video',
    task,
    prompt: 'A weir',
    durationS: 6,
    resolution,
    aspectRatio: null,
    size: null,
    audio,
    watermark: false,
    seed: null,
    firstFrame: task === 'image_to_video' || task === 'keyframes' ? 'https://a.example/1.png' : null,
    lastFrame: task === 'keyframes' ? 'https://a.example/2.png' : null,
    references: task === 'reference_to_video' ? ['https://a.example/3.png'] : [],
    inputVideo: durationMs === null ? null : { url: 'https://a.example/4.mp4', durationMs },
    extras: {},
  }
}

const units: readonly PriceUnit[] = [
  'video_output_token',
  'per_second_output',
  'per_second_output_1080p',
  'per_second_video_input',
  'per_image_input',
  'per_request',
  'per_request_minimum',
]

/** The unit costs more in some variants than in others. */
function listOf(unit: PriceUnit): PriceList {
  const dearer = (usd: string, when: Readonly<Record<string, string>>) => ({ unit, usd, when })
  return {
    id: 'p',
    base: parseUnitPrices({ per_second_output: '0.01', [unit]: '0.07' }),
    tiers: [],
    ...parsePriceRules([
      dearer('0.09', { resolution: '1080p' }),
      dearer('0.19', { resolution: '4k' }),
      dearer('0.08', { audio: 'true' }),
      dearer('0.11', { task: 'video_edit' }),
    ]),
  }
}

describe.each(units)('P20, Q14: a hold covers a video that is priced by %s', (unit) => {
  it.each(videoTaskKinds.flatMap((task) => frames.map((frame) => ({ task, frame, name: `${task} of ${frame[0]}` }))))(
    '$name',
    ({ task, frame: [resolution, width, height] }) => {
      for (const audio of [false, true]) {
        const order = taskOf(task, resolution, audio)
        // Providers count 24 frames per second at 1,024 pixels per token, also for the input video.
        const tokensOf = (ms: number): number => Math.floor((width * height * 24 * ms) / 1_000 / 1_024)
        const made = videoUsage(order, { videoTokens: tokensOf(6_000) + tokensOf(inputMs[task] ?? 0) })
        expect(worstChargeOf(worstVideo(order), listOf(unit))).toBeGreaterThanOrEqual(
          chargeFor(made, listOf(unit)).cost,
        )
      }
    },
  )
})

it('a size in pixels is held as it is', () => {
  const small = { ...taskOf('text_to_video', '480p', false), size: { width: 640, height: 512 } }
  expect(worstVideo(small).media?.videoTokens).toBe((640 * 512 * 24 * 6) / 1_024)
})
