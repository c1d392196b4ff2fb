import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ReachedProvider } from '#control/standing/judge-providers.ts'
import { errorText } from '#lib/error-text.ts'

const connectWithinMs = 5_000

/** Connects, checks the TLS certificate for https, and disconnects. It sends no request, so it costs nothing. */
export async function reachProvider({ account, url }: { account: string; url: string }): Promise<ReachedProvider> {
  const { protocol, hostname, port, host } = new URL(url)
  const isTls = protocol === 'https:'
  const place = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port === '' ? (isTls ? 443 : 80) : port) }
  const problem = await new Promise<string | null>((resolve) => {
    const socket = isTls ? connectTls({ ...place, servername: place.host }) : connect(place)
    const end = (found: string | null): void => {
      socket.destroy()
      resolve(found)
    }
    socket.once(isTls ? 'secureConnect' : 'connect', () => end(null))
    socket.once('error', (error) => end(errorText(error)))
    socket.setTimeout(connectWithinMs, () => end('timed out after 5 s'))
  })
  return { account, host, problem }
}
