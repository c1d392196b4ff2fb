/** Days before the end of a certificate at which administrators get an email. */
export const noticeDays = [30, 7, 1] as const

const dayMs = 86_400_000

/** The notice that is due, or null. After the end, sign-ins fail anyway, and the console says why. */
export function dueNotice({ endsAtMs, nowMs }: { endsAtMs: number; nowMs: number }): number | null {
  if (endsAtMs <= nowMs) return null
  return noticeDays.findLast((days) => endsAtMs - nowMs <= days * dayMs) ?? null
}
