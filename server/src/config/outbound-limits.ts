import type { Config } from './config-schema.ts'

type Settings = Pick<Config, 'outbound' | 'video' | 'webhooks'>

/** Limits on a gateway's requests to hosts that accounts name. */
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
 * The same limits for a worker. It claims no more jobs than its limit, so none is rejected; the provider decides the
 * size of a video.
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
 * Host names from accounts are public names, so the DNS search list does not complete them unless private networks are
 * allowed.
 */
export function completesAccountNames({ egress }: Pick<Config, 'egress'>): boolean {
  return egress.allowedNetworks.length > 0
}
