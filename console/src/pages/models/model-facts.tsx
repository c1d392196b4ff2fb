import type { ReactNode } from 'react'
import { formatUtcDay } from '../../lib/time.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/page.tsx'
import { AvailabilityBadge } from './availability-badge.tsx'
import { formatTokens } from './format-tokens.ts'
import type { Model } from '../../api/models.ts'

/** Capabilities and limits of a model. */
export function ModelFacts({ model }: { readonly model: Model }) {
  const { architecture, top_provider: limits, supported_parameters: parameters = [] } = model
  return (
    <Card title="Details">
      <dl className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-y-2 text-sm">
        <Fact label="Status">
          <AvailabilityBadge model={model} />
        </Fact>
        <Fact label="Input">{architecture.input_modalities.join(', ')}</Fact>
        <Fact label="Output">{architecture.output_modalities.join(', ')}</Fact>
        <Fact label="Context">{tokens(model.context_length)}</Fact>
        <Fact label="Max output">{tokens(limits.max_completion_tokens ?? null)}</Fact>
        <Fact label="Released">
          {Number(model.created) === 0
            ? 'Unknown'
            : formatUtcDay(new Date(Number(model.created) * 1_000).toISOString())}
        </Fact>
        {model.knowledge_cutoff === null ? null : <Fact label="Knowledge cutoff">{model.knowledge_cutoff}</Fact>}
        {model.expiration_date === null ? null : <Fact label="Retires">{model.expiration_date}</Fact>}
        {model.supported_voices === null ? null : <Fact label="Voices">{model.supported_voices.join(', ')}</Fact>}
        {parameters.length === 0 ? null : (
          <Fact label="Parameters">
            <span className="flex flex-wrap gap-1">
              {parameters.map((name) => (
                <Badge key={name}>
                  <span className="font-mono font-normal">{name}</span>
                </Badge>
              ))}
            </span>
          </Fact>
        )}
      </dl>
    </Card>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="figures min-w-0">{children}</dd>
    </>
  )
}

function tokens(count: Model['context_length']): string {
  return count === null ? 'Unknown' : `${formatTokens(count)} tokens`
}
