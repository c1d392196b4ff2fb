import { Badge } from '../../ui/badge.tsx'
import type { Key } from './read-keys.ts'

type State = 'active' | 'off' | 'expired'

export function stateOf({ enabled, expiresAt }: Key): State {
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return 'expired'
  return enabled ? 'active' : 'off'
}

const tones = { active: 'good', off: 'neutral', expired: 'warn' } as const

export function KeyState({ state }: { readonly state: State }) {
  return <Badge tone={tones[state]}>{state}</Badge>
}
