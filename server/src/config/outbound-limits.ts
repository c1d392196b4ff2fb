import type { Config } from './config-schema.ts'

type Settings = Pick<Config, 'outbound' | 'video' | 'webhooks'>

/** What accounts may cause a gateway to ask of hosts that they name. */
export function gatewayOutbound({ outbound }: Pick<Settings, 'outbound'>) {
  return {
    atOnceMax: outbound.atOnce,
    perAccountMax: outbound.perAccount,
    waitingPerAccountMax: outbound.waitingPerAccount,
    bytesMax: outbound.bytes,
    bytesPerAccountMax: outbound.bytesPerAccount,
  }
}

/**
 * The same of a worker. It takes no more jobs than it may have, so none is refused; how large a video is, its provider
 * decides.
 */
export function workerOutbound(settings: Settings): ReturnType<typeof gatewayOutbound> {
  return {
    ...gatewayOutbound(settings),
    waitingPerAccountMax: Math.max(settings.video.atOnce, settings.webhooks.atOnce),
    bytesMax: Number.POSITIVE_INFINITY,
    bytesPerAccountMax: Number.POSITIVE_INFINITY,
  }
}

/**
 * Names that an account writes are public, unless private networks are open to it; only then the search list completes
 * them.
 */
export function completesAccountNames({ egress }: Pick<Config, 'egress'>): boolean {
  return egress.allowedNetworks.length > 0
}
