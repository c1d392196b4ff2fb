import type { InputLimits } from '#providers/codecs/images/refuse-inputs.ts'

/** One API path. The catalogue lists each as a model. */
export interface Operation {
  readonly path: string
  /** Sent in the form if several models share a path. */
  readonly model?: string
  readonly takesPrompt: boolean
  readonly takesRatio: boolean
  readonly inputs: InputLimits & {
    /** Fields of the images, in order. */
    readonly fields: readonly string[]
    /**
     * How far to depart from the input image. The path requires this value with an image, unless the client sets it.
     */
    readonly strength?: string
    /** Sent in requests with an image. */
    readonly mode?: string
  }
  /** The response is a task to poll. */
  readonly isTask?: true
}

export function findOperation(model: string): Operation | undefined {
  const name = model.replace(/^stable-image-/, '')
  return name.startsWith('sd3') ? { ...diffusion, model: name } : (made.get(name) ?? changed.get(name))
}

const half = '0.5'

const diffusion: Operation = {
  path: '/stable-image/generate/sd3',
  takesPrompt: true,
  takesRatio: true,
  inputs: { fields: ['image'], most: 1, strength: half, mode: 'image-to-image' },
}

const made: ReadonlyMap<string, Operation> = new Map([
  [
    'core',
    { path: '/stable-image/generate/core', takesPrompt: true, takesRatio: true, inputs: { fields: [], most: 0 } },
  ],
  [
    'ultra',
    {
      path: '/stable-image/generate/ultra',
      takesPrompt: true,
      takesRatio: true,
      inputs: { fields: ['image'], most: 1, strength: half },
    },
  ],
])

const withPrompt = (path: string): Operation => ({ path, takesPrompt: true, takesRatio: false, inputs: oneImage })
const withoutPrompt = (path: string): Operation => ({ ...withPrompt(path), takesPrompt: false })
const oneImage: Operation['inputs'] = { fields: ['image'], least: 1, most: 1 }

const changed: ReadonlyMap<string, Operation> = new Map([
  ['conservative', withPrompt('/stable-image/upscale/conservative')],
  ['fast', withoutPrompt('/stable-image/upscale/fast')],
  ['creative', { ...withPrompt('/stable-image/upscale/creative'), isTask: true }],
  ['erase', { ...withoutPrompt('/stable-image/edit/erase'), inputs: { fields: ['image', 'mask'], least: 1, most: 2 } }],
  [
    'inpaint',
    { ...withPrompt('/stable-image/edit/inpaint'), inputs: { fields: ['image', 'mask'], least: 1, most: 2 } },
  ],
  ['outpaint', withPrompt('/stable-image/edit/outpaint')],
  ['search-and-replace', withPrompt('/stable-image/edit/search-and-replace')],
  ['search-and-recolor', withPrompt('/stable-image/edit/search-and-recolor')],
  ['remove-background', withoutPrompt('/stable-image/edit/remove-background')],
  ['sketch', withPrompt('/stable-image/control/sketch')],
  ['structure', withPrompt('/stable-image/control/structure')],
  ['style', { ...withPrompt('/stable-image/control/style'), takesRatio: true }],
  [
    'style-transfer',
    {
      ...withPrompt('/stable-image/control/style-transfer'),
      inputs: { fields: ['init_image', 'style_image'], least: 2, most: 2 },
    },
  ],
])
