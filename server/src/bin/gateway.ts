import { once } from 'node:events'
import { pino } from 'pino'
import { armFailpoints } from '#lib/failpoint.ts'
import { loadTokenCounter } from '#lib/token-counter.ts'
import { readConfig } from './read-config.ts'
import { wireGateway } from './wiring/wire-gateway.ts'

/** The gateway process: serves until SIGTERM or SIGINT, then drains. */
export async function runGateway(): Promise<void> {
  const config = readConfig()
  armFailpoints(process.env['WEIR_FAILPOINTS'] ?? '')
  const logger = pino({ level: config.log.level, base: { process: 'gateway', pid: process.pid } })
  const gateway = wireGateway(config, logger)
  await gateway.prepare()
  await loadTokenCounter()
  const address = await gateway.server.listen({ host: config.http.host, port: config.http.port })
  logger.info({ address }, 'the gateway is ready')
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  logger.info('draining')
  const late = setTimeout(() => {
    logger.warn('running requests did not end in time')
    process.exit(1)
  }, config.drain.timeoutMs)
  await gateway.drain()
  clearTimeout(late)
  logger.info('stopped')
}
