import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { imageCall } from '#dialects/images/image-call.ts'
import { noUsage, type Usage } from '#domain/inference/usage.ts'
import type { ImageTask, MediaInput } from '#domain/media/media-task.ts'
import { chargeFor } from '#domain/money/charge.ts'
import { type PriceList, parsePriceRules, parseUnitPrices } from '#domain/money/price-list.ts'
import { worstChargeOf } from '#domain/money/worst-charge.ts'
import { pause } from '#providers/codecs/exchange-script.ts'
import { makeInTurns, type Turn } from '#providers/codecs/images/make-in-turns.ts'

const input: MediaInput = { kind: 'url', url: 'https://example.com/a.png' }

/** Every image in its own request, the maximum that a provider may need. */
function usageAfter(task: ImageTask, turn: Omit<Turn, 'images'>): Usage {
  const conversation = makeInTurns(task, 1, function* make() {
    yield* pause(1)
    return { images: [{ kind: 'base64', base64: 'AA==' }], ...turn }
  })
  let step = conversation.next()
  while (step.done !== true) step = conversation.next()
  if (step.value.usage === null) throw new Error('nothing was counted')
  return step.value.usage
}

function taskOf(call: ReturnType<typeof imageCall>): { task: ImageTask; worst: Usage } {
  const { media } = call
  if (media?.task.kind !== 'image') throw new Error('no order for an image')
  return { task: media.task, worst: media.worst }
}

const lists: readonly PriceList[] = [
  { per_image_output: '0.04', per_image_input: '0.003' },
  { per_megapixel_output: '0.06', per_megapixel_input: '0.06' },
  { per_pixel_output: '0.0000000013' },
  { prompt: '0.000005', image_input_token: '0.000008', image_output_token: '0.00003' },
  { prompt: '0.000005', per_image_output: '0.02', image_output_token: '0.0000195' },
].map((units) => ({
  id: 'p',
  base: parseUnitPrices(units),
  tiers: [],
  ...parsePriceRules([{ unit: 'per_image_output', usd: '0.3', when: { resolution: '4k' } }]),
}))

const turn = fc.record({
  outputPixels: fc.option(fc.integer({ min: 1, max: 4_194_304 }), { nil: undefined }),
  inputPixels: fc.option(fc.integer({ min: 0, max: 4_194_304 }), { nil: undefined }),
  tokens: fc.option(
    fc.record({
      classes: fc.record({ ...constants(), uncachedInput: fc.nat(5), imageOutput: fc.nat(6_400) }),
      inputImageTokens: fc.nat(85),
    }),
    { nil: undefined },
  ),
})

it('[HOLD-10] an order for images holds enough for hosts that are shown everything again for each', () => {
  const size = fc.constantFrom(undefined, '256x256', '1024x1024')
  const extras = fc.constantFrom({}, { resolution: '4K' }, { quality: 'high' })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 0, max: 8 }),
      size,
      extras,
      turn,
      fc.constantFrom(...lists),
      (n, shown, asked, more, made, list) => {
        const body = { prompt: 'a lighthouse in the rain', n, ...(asked === undefined ? {} : { size: asked }), ...more }
        const { task, worst } = taskOf(
          imageCall(
            body,
            'acme/painter',
            Array.from({ length: shown }, () => input),
          ),
        )
        const usage = usageAfter(task, shown === 0 ? withoutInputs(made) : made)
        expect(chargeFor(usage, list).cost).toBeLessThanOrEqual(worstChargeOf(worst, list))
      },
    ),
  )
})

it('images given to a host that counts only what it has made are charged by the piece', () => {
  const { task } = taskOf(imageCall({ prompt: 'a boat' }, 'acme/painter', [input, input]))
  const tokens = { classes: { ...noUsage, imageOutput: 4_096 }, inputImageTokens: 0 }
  expect(usageAfter(task, { tokens }).media).toMatchObject({ inputImages: 2 })
  const counted = { classes: { ...noUsage, uncachedInput: 700, imageOutput: 4_096 }, inputImageTokens: 0 }
  expect(usageAfter(task, { tokens: counted }).media).not.toHaveProperty('inputImages')
})

it('a resolution is the same in capitals', () => {
  const { task } = taskOf(imageCall({ prompt: 'a boat', resolution: '4K' }, 'acme/painter', []))
  const [byTheImage] = lists
  if (byTheImage === undefined) throw new Error('no list')
  expect(chargeFor(usageAfter(task, {}), byTheImage).cost).toBe(300_000_000n)
})

function constants(): Record<keyof typeof noUsage, fc.Arbitrary<number>> {
  const none = fc.constant(0)
  return {
    uncachedInput: none,
    cacheRead: none,
    cacheWrite5m: none,
    cacheWrite1h: none,
    audioInput: none,
    textOutput: none,
    reasoningOutput: none,
    imageOutput: none,
    audioOutput: none,
  }
}

function withoutInputs(made: Omit<Turn, 'images'>): Omit<Turn, 'images'> {
  const { tokens } = made
  return { ...made, inputPixels: 0, tokens: tokens === undefined ? undefined : { ...tokens, inputImageTokens: 0 } }
}
