/** Set for each process of `weir gateway --processes`: its index, from zero. */
export const placeVariable = 'WEIR_GATEWAY_PLACE'

/** Tells such a process that another process replaces it. */
export const leaveMessage = 'leave'

/** The index of this process among those that share a port, or null if it does not share one. */
export function gatewayPlace(env: Readonly<Record<string, string | undefined>>): number | null {
  const place = env[placeVariable]
  return place === undefined ? null : Number(place)
}
