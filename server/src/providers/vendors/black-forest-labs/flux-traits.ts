import type { PixelRange } from '#domain/media/size-within.ts'
import type { InputLimits } from '#providers/codecs/images/refuse-inputs.ts'

/** The request format of one model family. */
export interface FluxTraits {
  readonly form: { readonly kind: 'pixels'; readonly range: PixelRange } | { readonly kind: 'ratio' | 'none' }
  readonly inputs: InputLimits & {
    /** Field of the first image. Further ones end with `_2`, `_3` and so on. */
    readonly field: string
    readonly takesUrls: boolean
  }
}

/** Traits of a model, by its name in the path. */
export function fluxTraitsOf(model: string): FluxTraits {
  return families.find(({ is }) => is.test(model))?.traits ?? firstGeneration
}

const firstGeneration: FluxTraits = {
  form: {
    kind: 'pixels',
    range: { step: 32, side: { least: 256, most: 1_440 }, pixels: { least: 65_536, most: 2_073_600 } },
  },
  inputs: { field: 'image_prompt', takesUrls: false, most: 1 },
}

const families: readonly { is: RegExp; traits: FluxTraits }[] = [
  {
    is: /^flux-kontext/,
    traits: { form: { kind: 'ratio' }, inputs: { field: 'input_image', takesUrls: true, most: 4 } },
  },
  {
    is: /-ultra/,
    traits: { form: { kind: 'ratio' }, inputs: { field: 'image_prompt', takesUrls: false, most: 1 } },
  },
  {
    is: /^flux-pro-1\.0-(?:fill|expand|canny|depth)/,
    traits: { form: { kind: 'none' }, inputs: { field: 'image', takesUrls: false, least: 1, most: 1 } },
  },
  {
    is: /^flux-[2-9]/,
    traits: {
      form: {
        kind: 'pixels',
        range: { step: 16, side: { least: 64, most: 4_096 }, pixels: { least: 65_536, most: 4_194_304 } },
      },
      inputs: { field: 'input_image', takesUrls: true, most: 8 },
    },
  },
]
