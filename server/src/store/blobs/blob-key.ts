import { assert } from '#lib/assert.ts'

const form = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*$/
const lengthMax = 200

/** Only the gateway creates keys. A key with dots or an empty part would lead out of the folder, so it is a bug. */
export function assertBlobKey(key: string): void {
  assert(isBlobKey(key), 'a blob key must be lowercase letters, digits and dashes, separated by slashes')
}

export function isBlobKey(key: string): boolean {
  return key.length <= lengthMax && form.test(key)
}
