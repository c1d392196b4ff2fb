import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import type { Config } from '#config/config-schema.ts'
import { armFailpoints } from '#lib/failpoint.ts'
import { loadTokenCounter } from '#lib/token-counter.ts'
import { announceReady } from './announce-ready.ts'
import { closeAfterFailure } from './close-after-failure.ts'
import { createLogger } from './create-logger.ts'
import { gatewayPlace, leaveMessage } from './gateway-place.ts'
import { listenOn } from './listen-on.ts'
import { operatingPlace } from './operating-place.ts'
import { warmUpUntil } from './warm-up/warm-up-until.ts'
import { wireGateway } from './wiring/wire-gateway.ts'

/** The gateway process: serves until SIGTERM or SIGINT, or until another process replaces it, then drains. */
export async function runGateway(config: Config): Promise<void> {
  armFailpoints(process.env['WEIR_FAILPOINTS'] ?? '')
  const logger = createLogger('gateway', config.log)
  const gateway = wireGateway(config, logger)
  const operating = await closeAfterFailure(gateway, async () => {
    // Loads the token counter while Postgres responds.
    await Promise.all([gateway.prepare(), loadTokenCounter()])
    const place = operatingPlace(config, gatewayPlace(process.env) ?? 0)
    return listenOn(gateway.operating, place, { key: 'operating', variable: 'WEIR_OPERATING' })
  })
  const leave = Promise.race([waitForMessage(leaveMessage), once(process, 'SIGTERM'), once(process, 'SIGINT')])
  if ((await warmUpUntil(leave, config, logger)) === 'told to leave') {
    await gateway.close()
    logger.info('stopped')
    return
  }
  const address = await closeAfterFailure(gateway, () =>
    listenOn(gateway.server, config.http, { key: 'http', variable: 'WEIR_HTTP' }),
  )
  // Node writes its compile cache on a normal exit only, so it is flushed now in case the process is killed.
  flushCompileCache()
  logger.info({ operating, address }, 'the gateway is ready')
  announceReady()
  const told = await leave
  logger.info('draining')
  const late = setTimeout(() => {
    logger.warn('running requests did not finish before the drain timeout')
    process.exit(1)
  }, config.drain.timeoutMs)
  // If another process replaces this one, the port stays open, so load balancers need no notice.
  await (told === leaveMessage ? gateway.leave() : gateway.drain())
  clearTimeout(late)
  logger.info('stopped')
}

async function waitForMessage(awaited: string): Promise<string> {
  for (;;) {
    const [message] = await once(process, 'message')
    if (message === awaited) return awaited
  }
}
