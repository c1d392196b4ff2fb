// One address and nothing else: no display names, lists, comments, quotes or line breaks.
const form = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/i
const lengthMax = 254

/** Whether a text is exactly one email address that is valid in an envelope. */
export function isMailAddress(text: string): boolean {
  return text.length <= lengthMax && form.test(text)
}
