import type { Answer } from '../setup/send.ts'
import type { Cell } from './cells.ts'
import { withoutTimes } from './without-times.ts'

/**
 * Checks that responses do not distinguish foreign, deleted and nonexistent things. All responses that one client gets
 * at one endpoint for something that does not exist for them must be the same text.
 */
export interface LookAlikes {
  note(cell: Cell, answer: Answer, names: readonly string[]): void
  /** The cells with more than one text. */
  differences(): { readonly label: string; readonly texts: readonly string[] }[]
}

export function createLookAlikes(): LookAlikes {
  const seen = new Map<string, Map<string, string>>()
  return {
    note: ({ endpoint, caller, target, expected }, { status, text }, names) => {
      if (expected !== 404) return
      // A member may learn that the organization exists, and no more.
      const place = target.endsWith(' inside') ? ' inside the own organization' : ''
      const label = `${endpoint.method} ${endpoint.path} by ${caller.name}${place}`
      const texts = seen.get(label) ?? new Map<string, string>()
      seen.set(label, texts)
      // A response may repeat the requested name, its own request id and the time in an id.
      const own = withoutTimes(text).replaceAll(/"request_id":"req_[0-9a-f]{32}"/g, '"request_id":"…"')
      const plain = names.reduce((rest, name) => rest.replaceAll(name, '…'), `${status} ${own}`)
      if (!texts.has(plain)) texts.set(plain, `${target}: ${plain}`)
    },
    differences: () =>
      [...seen].filter(([, texts]) => texts.size > 1).map(([label, texts]) => ({ label, texts: [...texts.values()] })),
  }
}
