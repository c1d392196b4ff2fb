import { pino } from 'pino'
import { wireGateway } from '../../server/src/bin/wiring/wire-gateway.ts'
import { parseConfig } from '../../server/src/config/parse-config.ts'

/** A port without a listener: the gateway is wired, asked for its document and closed before it uses an engine. */
const nowhere = '127.0.0.1:1'

/** The OpenAPI document as a gateway serves it, byte for byte. Neither Postgres nor Redis needs to be up. */
export async function readDocument(): Promise<string> {
  const config = parseConfig({
    env: {
      WEIR_SECRET: 'q7Wn2sVb8xKd4mRt6yLp9cZf3hJg5uAe',
      WEIR_POSTGRES_URL: `postgres://weir@${nowhere}/weir`,
      WEIR_REDIS_URL: `redis://${nowhere}`,
    },
  })
  const gateway = wireGateway(config, pino({ level: 'silent' }))
  try {
    const { body } = await gateway.server.inject({ method: 'GET', url: '/openapi.json' })
    return body
  } finally {
    await gateway.close()
  }
}
