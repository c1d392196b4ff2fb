import type { Answer } from '../setup/send.ts'
import type { Cell } from './cells.ts'
import { withoutTimes } from './without-times.ts'

/**
 * Whether things of others, things that vanished and things that never were are told apart by their answers. All
 * answers that one caller gets at one endpoint for something that is not there for them must be the same text.
 */
export interface LookAlikes {
  note(cell: Cell, answer: Answer, names: readonly string[]): void
  /** Where there was more than one text. */
  differences(): { readonly label: string; readonly texts: readonly string[] }[]
}

export function createLookAlikes(): LookAlikes {
  const seen = new Map<string, Map<string, string>>()
  return {
    note: ({ endpoint, caller, target, expected }, { status, text }, names) => {
      if (expected !== 404) return
      // A member may learn that the organization is there, and no more.
      const place = target.endsWith(' inside') ? ' inside the own organization' : ''
      const label = `${endpoint.method} ${endpoint.path} by ${caller.name}${place}`
      const texts = seen.get(label) ?? new Map<string, string>()
      seen.set(label, texts)
      // An answer may repeat the name that it was asked for, and the time that is in an id.
      const plain = names.reduce((rest, name) => rest.replaceAll(name, '…'), `${status} ${withoutTimes(text)}`)
      if (!texts.has(plain)) texts.set(plain, `${target}: ${plain}`)
    },
    differences: () =>
      [...seen].filter(([, texts]) => texts.size > 1).map(([label, texts]) => ({ label, texts: [...texts.values()] })),
  }
}
