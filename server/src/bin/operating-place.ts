import type { Config } from '#config/config-schema.ts'
import type { Place } from './listen-on.ts'

const portsAbove = 100
const portMax = 65_535

interface PlaceSettings {
  readonly http: Pick<Config['http'], 'port'>
  readonly operating: Pick<Config['operating'], 'host' | 'port'>
}

/**
 * Gateways on one machine differ by their port, so their default operating ports differ too. Processes that share a
 * port have consecutive operating ports.
 */
export function operatingPlace({ http, operating }: PlaceSettings, gatewayPlace = 0): Place {
  const port = operating.port ?? derivedPort(http.port)
  return { host: operating.host, port: port === 0 ? 0 : port + gatewayPlace, isOwn: true }
}

function derivedPort(httpPort: number): number {
  if (httpPort === 0) return 0
  return httpPort + portsAbove <= portMax ? httpPort + portsAbove : httpPort - portsAbove
}
