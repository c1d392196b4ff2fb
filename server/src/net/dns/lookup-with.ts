import { isIPv6, type LookupFunction } from 'node:net'

/** The lookup interface of sockets, on top of a function that returns all addresses of a host. */
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
