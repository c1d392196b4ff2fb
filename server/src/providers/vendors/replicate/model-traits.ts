/** The input names of one model family. Each model on Replicate has its own schema. */
export interface ModelTraits {
  /** `custom` is a ratio that refers to width and height. */
  readonly form: 'ratio' | 'pixels' | 'custom'
  /** Maximum images per prediction. */
  readonly atOnce: number
  readonly inputs: { readonly field: string; readonly isList: boolean; readonly most: number }
  readonly takesQuality?: true
}

export function modelTraitsOf(model: string): ModelTraits {
  return families.find(({ is }) => is.test(model))?.traits ?? anyModel
}

const one = (field: string): ModelTraits['inputs'] => ({ field, isList: false, most: 1 })
const several = (field: string, most: number): ModelTraits['inputs'] => ({ field, isList: true, most })

const anyModel: ModelTraits = { form: 'ratio', atOnce: 1, inputs: one('image') }

const families: readonly { is: RegExp; traits: ModelTraits }[] = [
  { is: /\/flux-kontext/, traits: { form: 'ratio', atOnce: 1, inputs: one('input_image') } },
  { is: /\/flux-2/, traits: { form: 'custom', atOnce: 1, inputs: several('input_images', 8) } },
  { is: /\/flux-1\.1-pro-ultra/, traits: { form: 'ratio', atOnce: 1, inputs: one('image_prompt') } },
  { is: /\/flux-(?:1\.1-)?pro/, traits: { form: 'custom', atOnce: 1, inputs: one('image_prompt') } },
  { is: /\/flux-schnell/, traits: { form: 'ratio', atOnce: 4, inputs: { field: '', isList: false, most: 0 } } },
  { is: /\/flux-dev/, traits: { form: 'ratio', atOnce: 4, inputs: one('image') } },
  { is: /\/(?:seedream|nano-banana)/, traits: { form: 'ratio', atOnce: 1, inputs: several('image_input', 8) } },
  {
    is: /\/gpt-image/,
    traits: { form: 'ratio', atOnce: 1, inputs: several('input_images', 8), takesQuality: true },
  },
  { is: /\/imagen/, traits: { form: 'ratio', atOnce: 1, inputs: { field: '', isList: false, most: 0 } } },
  { is: /\/(?:sdxl|stable-diffusion)(?!-3)/, traits: { form: 'pixels', atOnce: 4, inputs: one('image') } },
]
