// An overlong header or an invalid character would make the whole response fail, although the client has paid for it.
const namesMax = 32
const plainName = /^[\w.[\]-]{1,64}$/

/** `X-Params-Ignored`. Some names are the client's own strings; those that are not plain names are not repeated. */
export function ignoredHeader(names: readonly string[]): Readonly<Record<string, string>> {
  const plain = names.filter((name) => plainName.test(name)).slice(0, namesMax)
  return plain.length === 0 ? {} : { 'x-params-ignored': plain.join(', ') }
}
