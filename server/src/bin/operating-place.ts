import type { Config } from '#config/config-schema.ts'
import type { Place } from './listen-on.ts'

const portsAbove = 100
const portMax = 65_535

interface PlaceSettings {
  readonly http: Pick<Config['http'], 'port'>
  readonly operating: Pick<Config['operating'], 'host' | 'port'>
}

/** Gateways of one machine differ by their port, so the second one of each does too without being set. */
export function operatingPlace({ http, operating }: PlaceSettings): Place {
  const port = operating.port ?? derivedPort(http.port)
  return { host: operating.host, port }
}

function derivedPort(httpPort: number): number {
  if (httpPort === 0) return 0
  return httpPort + portsAbove <= portMax ? httpPort + portsAbove : httpPort - portsAbove
}
