import type { PixelRange } from '#domain/media/size-within.ts'
import type { InputLimits } from '#providers/codecs/images/refuse-inputs.ts'

/** The formats that one model generation supports. */
export interface SeedreamTraits {
  readonly form: /** The form is that of the image it starts from. */
    | { readonly kind: 'adaptive' }
    | {
        readonly kind: 'pixels'
        readonly range: PixelRange
        readonly pixelsOfRatio: number
        /** The size to request if the client leaves it open. */
        readonly named?: string
      }
  /** Supports the field that requests a set of images. */
  readonly makesSets: boolean
  readonly inputs: InputLimits
}

/**
 * Volcengine's names are BytePlus' names with the prefix `doubao-`. Endpoint ids say nothing and count as the newest.
 */
export function seedreamTraitsOf(model: string): SeedreamTraits {
  return families.find(({ is }) => is.test(model))?.traits ?? newest
}

const side = { least: 240, most: 14_336 }
const square2K = 2_048 * 2_048

const generation = (least: number, most: number): SeedreamTraits => ({
  form: {
    kind: 'pixels',
    range: { step: 16, side, pixels: { least, most } },
    pixelsOfRatio: square2K,
    named: '2K',
  },
  makesSets: true,
  inputs: { most: 14 },
})

const newest = generation(2_560 * 1_440, square2K * 4)

const families: readonly { is: RegExp; traits: SeedreamTraits }[] = [
  { is: /seededit/, traits: { form: { kind: 'adaptive' }, makesSets: false, inputs: { least: 1, most: 1 } } },
  {
    is: /seedream-3/,
    traits: {
      form: {
        kind: 'pixels',
        range: { step: 16, side: { least: 512, most: 2_048 }, pixels: { least: 512 * 512, most: square2K } },
        pixelsOfRatio: 1_024 * 1_024,
      },
      makesSets: false,
      inputs: { most: 0 },
    },
  },
  { is: /seedream-4-0/, traits: generation(1_280 * 720, square2K * 4) },
  { is: /seedream-4/, traits: newest },
  { is: /seedream-5-0-pro/, traits: { ...generation(1_280 * 720, square2K), makesSets: false } },
  { is: /seedream-5/, traits: generation(2_560 * 1_440, 3_072 * 3_072) },
]
