const mebibyte = 1_048_576

/** Such as `4.0 GB` or `255 MB`. */
export function sizeOf(bytes: number): string {
  const gibibytes = bytes / (1_024 * mebibyte)
  return gibibytes >= 1 ? `${gibibytes.toFixed(1)} GB` : `${Math.round(bytes / mebibyte)} MB`
}
