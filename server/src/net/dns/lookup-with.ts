import { isIPv6, type LookupFunction } from 'node:net'

/** The form in which sockets ask for addresses, over a function that gives all of a host's. */
export function lookupWith(resolve: (host: string) => Promise<readonly string[]>): LookupFunction {
  return (host, options, callback) => {
    const fail = (error: unknown): void => callback(error instanceof Error ? error : new Error(String(error)), '', 0)
    resolve(host).then((addresses) => {
      const wanted = addresses
        .map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
        .filter(({ family }) => options.family === undefined || options.family === 0 || options.family === family)
      const [first] = wanted
      if (first === undefined) return fail(new Error(`${host} has no address of the requested family`))
      if (options.all === true) callback(null, wanted)
      else callback(null, first.address, first.family)
    }, fail)
  }
}
