import type { InputLimits } from '#providers/codecs/images/refuse-inputs.ts'

/** One of Stability's models on Bedrock. Each does one thing. */
export interface Operation {
  readonly takesPrompt: boolean
  readonly takesRatio: boolean
  /** Fields besides those that all of them accept. */
  readonly extras: readonly string[]
  readonly inputs: InputLimits & {
    /** Fields of the images, in order. */
    readonly fields: readonly string[]
    /** Required fields in a request with an image, unless the client sets them. */
    readonly beside?: Readonly<Record<string, string | number>>
  }
}

/** Finds an operation by its name, such as `stability.stable-image-core-v1:1`. */
export function findOperation(name: string): Operation | undefined {
  const [, bare] = /stability(?:ai)?[./]([\w-]+?)-v\d/.exec(name) ?? []
  return bare === undefined ? undefined : operations.get(bare)
}

const words = ['negative_prompt', 'seed']
const made = { takesPrompt: true, takesRatio: true, extras: words }
const changed = { takesPrompt: true, takesRatio: false, extras: [...words, 'style_preset'] }
const oneImage: Operation['inputs'] = { fields: ['image'], least: 1, most: 1 }
const imageAndMask: Operation['inputs'] = { fields: ['image', 'mask'], least: 1, most: 2 }

const diffusion: Operation = {
  ...made,
  extras: [...words, 'strength'],
  inputs: { fields: ['image'], most: 1, beside: { mode: 'image-to-image', strength: 0.5 } },
}

const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['sd3-large', diffusion],
  ['sd3-5-large', diffusion],
  ['stable-image-core', { ...made, inputs: { fields: [], most: 0 } }],
  ['stable-image-ultra', { ...diffusion, inputs: { fields: ['image'], most: 1, beside: { strength: 0.5 } } }],
  ['stable-conservative-upscale', { ...made, takesRatio: false, extras: [...words, 'creativity'], inputs: oneImage }],
  ['stable-creative-upscale', { ...changed, extras: [...changed.extras, 'creativity'], inputs: oneImage }],
  ['stable-fast-upscale', { takesPrompt: false, takesRatio: false, extras: [], inputs: oneImage }],
  ['stable-image-control-sketch', { ...changed, extras: [...changed.extras, 'control_strength'], inputs: oneImage }],
  ['stable-image-control-structure', { ...changed, extras: [...changed.extras, 'control_strength'], inputs: oneImage }],
  [
    'stable-image-style-guide',
    { ...changed, takesRatio: true, extras: [...changed.extras, 'fidelity'], inputs: oneImage },
  ],
  [
    'stable-image-erase-object',
    { takesPrompt: false, takesRatio: false, extras: ['seed', 'grow_mask'], inputs: imageAndMask },
  ],
  ['stable-image-inpaint', { ...changed, extras: [...changed.extras, 'grow_mask'], inputs: imageAndMask }],
  ['stable-image-remove-background', { takesPrompt: false, takesRatio: false, extras: [], inputs: oneImage }],
  [
    'stable-image-search-recolor',
    { ...changed, extras: [...changed.extras, 'select_prompt', 'grow_mask'], inputs: oneImage },
  ],
  [
    'stable-image-search-replace',
    { ...changed, extras: [...changed.extras, 'search_prompt', 'grow_mask'], inputs: oneImage },
  ],
  [
    'stable-outpaint',
    { ...changed, extras: ['seed', 'style_preset', 'creativity', 'left', 'right', 'up', 'down'], inputs: oneImage },
  ],
  [
    'stable-style-transfer',
    {
      ...changed,
      extras: [...words, 'style_strength', 'composition_fidelity', 'change_strength'],
      inputs: { fields: ['init_image', 'style_image'], least: 2, most: 2 },
    },
  ],
])
