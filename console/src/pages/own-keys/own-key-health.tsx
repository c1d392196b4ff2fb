import type { OwnKey } from '../../api/own-keys.ts'
import { Badge } from '../../ui/badge.tsx'

const states = {
  healthy: ['Healthy', 'good'],
  failing: ['Failing', 'bad'],
  unknown: ['Not used yet', 'neutral'],
} as const

export function healthInWords({ enabled, health }: Pick<OwnKey, 'enabled' | 'health'>): string {
  return enabled ? states[health.status][0] : 'Disabled'
}

/** Whether the provider accepts the key, by its last response. */
export function OwnKeyHealth({ of: key }: { readonly of: Pick<OwnKey, 'enabled' | 'health'> }) {
  const { enabled, health } = key
  return (
    <Badge
      tone={enabled ? states[health.status][1] : 'neutral'}
      {...(health.lastError === null ? {} : { hint: health.lastError })}
    >
      {healthInWords(key)}
    </Badge>
  )
}
