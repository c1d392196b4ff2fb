import type { Edit } from '../../lib/edit.ts'

/** A halved body limit, and the tests that send a size between the two values. */
type HalvedLimit = Edit & { readonly what: string; readonly tests: readonly string[] }

const images = 'server/src/http/inference/images-endpoints.ts'
const edits = ['server/test/media/images/images.edits.test.ts']

export const halvedLimits: readonly HalvedLimit[] = [
  {
    what: 'bodies of account requests',
    file: 'server/src/domain/inference/body-limits.ts',
    find: 'bytesMax: 10 *',
    replace: 'bytesMax: 5 *',
    tests: ['server/test/limits/larger-bodies.test.ts'],
  },
  {
    what: 'bodies of strangers',
    file: 'server/src/http/bodies/body-sizes.ts',
    find: 'export const openBodyBytesMax = 16 *',
    replace: 'export const openBodyBytesMax = 8 *',
    tests: ['server/test/edge/unknown-senders.attack.test.ts'],
  },
  {
    what: 'bodies of conversations, recordings and other media',
    file: 'server/src/config/sections/listening.ts',
    find: 'minimum: 10_485_760, maximum: 268_435_456, default: 10_485_760',
    replace: 'minimum: 5_242_880, maximum: 268_435_456, default: 5_242_880',
    tests: ['server/test/oracle/limits.test.ts', 'server/test/media/audio/transcriptions.200.test.ts'],
  },
  {
    what: 'files of an image edit',
    file: images,
    find: 'const imageBytesMax = 10 *',
    replace: 'const imageBytesMax = 5 *',
    tests: edits,
  },
  {
    what: 'number of images',
    file: images,
    find: 'const imagesMax = 8',
    replace: 'const imagesMax = 4',
    tests: edits,
  },
]
