/** Set for each process of `weir gateway --processes`: its number, from zero. */
export const placeVariable = 'WEIR_GATEWAY_PLACE'

/** Tells such a process that another one takes its place. */
export const leaveMessage = 'leave'

/** The number of this process among those of one port; null where it is the only one. */
export function gatewayPlace(env: Readonly<Record<string, string | undefined>>): number | null {
  const place = env[placeVariable]
  return place === undefined ? null : Number(place)
}
