interface SentinelServers {
  readonly sentinels: readonly { readonly host: string; readonly port: number }[]
  /** The sentinels' name of the server set. */
  readonly name: string
  readonly username?: string
  readonly password?: string
  readonly db: number
}

const form = /^redis\+sentinel:\/\/(?:(?<user>[^/@]*)@)?(?<hosts>[^/@]+)\/(?<name>[\w.-]+)(?:\/(?<db>\d{1,4}))?$/
const place = /^(?:\[(?<six>[^\]]+)\]|(?<host>[^:]+))(?::(?<port>\d{1,5}))?$/

/** Reads `redis+sentinel://user:password@one:26379,two:26379/weir/0`. Null if invalid. */
export function sentinelServers(url: string): SentinelServers | null {
  const { user = '', hosts = '', name = '', db = '0' } = form.exec(url)?.groups ?? {}
  const sentinels = hosts.split(',').map(readPlace)
  if (name === '' || !sentinels.every((one) => one !== null)) return null
  const [username = '', password = ''] = user.split(':').map(decodeURIComponent)
  return {
    sentinels,
    name,
    db: Number(db),
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
  }
}

function readPlace(text: string): { host: string; port: number } | null {
  const { six, host = six, port = '26379' } = place.exec(text)?.groups ?? {}
  return host === undefined || Number(port) > 65_535 ? null : { host, port: Number(port) }
}
