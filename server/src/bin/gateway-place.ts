/** Set for each process of `weir gateway --processes`: its index, from zero. */
export const placeVariable = 'WEIR_GATEWAY_PLACE'

/** Tells such a process that another one replaces it. */
export const leaveMessage = 'leave'

/** The index of this process among those that share a port, or null if it is the only one. */
export function gatewayPlace(env: Readonly<Record<string, string | undefined>>): number | null {
  const place = env[placeVariable]
  return place === undefined ? null : Number(place)
}
