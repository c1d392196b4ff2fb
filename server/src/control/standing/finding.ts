/**
 * The result of one check. A `fault` hurts clients or money now; a `warning` may soon, or an operator needs to know it;
 * `unknown` means that the check could not run.
 */
export interface Finding {
  readonly what: string
  readonly state: 'ok' | 'unknown' | 'warning' | 'fault'
  /** One sentence, or a few figures. */
  readonly says: string
  /** What the operator can do about it. */
  readonly advice?: string
}

export function ok(what: string, says: string): Finding {
  return { what, state: 'ok', says }
}

export function unknown(what: string, says: string, advice: string): Finding {
  return { what, state: 'unknown', says, advice }
}

export function warning(what: string, says: string, advice: string): Finding {
  return { what, state: 'warning', says, advice }
}

export function fault(what: string, says: string, advice: string): Finding {
  return { what, state: 'fault', says, advice }
}
