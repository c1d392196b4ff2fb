import { Badge } from '../../ui/badge.tsx'
import type { Key } from '../../api/keys.ts'

type State = 'active' | 'off' | 'expired'

export function stateOf({ enabled, expiresAt }: Key): State {
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return 'expired'
  return enabled ? 'active' : 'off'
}

const names = { active: 'Active', off: 'Disabled', expired: 'Expired' } as const
const tones = { active: 'good', off: 'neutral', expired: 'warn' } as const

export function KeyState({ state }: { readonly state: State }) {
  return <Badge tone={tones[state]}>{names[state]}</Badge>
}

export function stateInWords(key: Key): string {
  return names[stateOf(key)]
}
