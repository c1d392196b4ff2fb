interface PostgresServers {
  /** One URL per server, in list order. */
  readonly urls: readonly string[]
  /** Whether only the server that accepts writes may be used. */
  readonly onlyPrimary: boolean
}

const form = /^(?<scheme>postgres(?:ql)?:\/\/)(?<place>[^/?#]*)(?<rest>.*)$/s
const attribute = 'target_session_attrs'
const primaryWords = new Set(['read-write', 'primary'])

/**
 * Parses `postgres://user:password@one:5432,two:5432/weir?target_session_attrs=read-write` as libpq does. If several
 * servers are listed, always uses the one that accepts writes. Null for an invalid URL, or one that asks for a standby.
 */
export function postgresServers(url: string): PostgresServers | null {
  const { scheme = '', place = '', rest = '' } = form.exec(url)?.groups ?? {}
  const hosts = place.slice(place.lastIndexOf('@') + 1).split(',')
  const credentials = place.slice(0, place.lastIndexOf('@') + 1)
  const [path = '', query = ''] = splitOnce(rest, '?')
  const parameters = new URLSearchParams(query)
  const wanted = parameters.get(attribute)
  if (scheme === '' || (wanted !== null && !primaryWords.has(wanted))) return null
  if (hosts.length === 1 && wanted === null) return { urls: [url], onlyPrimary: false }
  // All other parameters stay as written: a password in them might not survive re-encoding.
  const others = query.split('&').filter((pair) => pair !== '' && !pair.startsWith(`${attribute}=`))
  const end = others.length === 0 ? path : `${path}?${others.join('&')}`
  const urls = hosts.map((host) => `${scheme}${credentials}${host}${end}`)
  const areWhole = hosts.every((host) => host !== '') && urls.every((one) => URL.canParse(one))
  return areWhole ? { urls, onlyPrimary: true } : null
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)]
}
