import { assert } from '#lib/assert.ts'

const form = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*$/
const lengthMax = 200

/** Keys are made by us alone; one with dots or an empty part would lead out of a folder, so it is our mistake. */
export function assertBlobKey(key: string): void {
  assert(isBlobKey(key), 'a blob key must be lowercase letters, digits and dashes, separated by slashes')
}

export function isBlobKey(key: string): boolean {
  return key.length <= lengthMax && form.test(key)
}
