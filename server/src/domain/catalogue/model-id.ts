const form = /^[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*(?::[a-z0-9-]+)?$/
const lengthMax = 200

/** `author/name` in lower case, with an optional suffix such as `:free`. */
export function isModelId(text: string): boolean {
  return text.length <= lengthMax && form.test(text)
}

export function authorOf(id: string): string {
  return id.slice(0, id.indexOf('/'))
}

/** The part after the author, including the suffix. */
export function nameOf(id: string): string {
  return id.slice(id.indexOf('/') + 1)
}

/** The id without its suffix. */
export function baseOf(id: string): string {
  const colon = id.indexOf(':')
  return colon === -1 ? id : id.slice(0, colon)
}
