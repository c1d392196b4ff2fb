// A header of any length or with any character would keep the whole answer from its client, who has paid for it.
const namesMax = 32
const plainName = /^[\w.[\]-]{1,64}$/

/** `X-Params-Ignored`. Some of the names are a client's own words: those that are no plain name are not repeated. */
export function ignoredHeader(names: readonly string[]): Readonly<Record<string, string>> {
  const plain = names.filter((name) => plainName.test(name)).slice(0, namesMax)
  return plain.length === 0 ? {} : { 'x-params-ignored': plain.join(', ') }
}
