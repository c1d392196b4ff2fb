import { Link } from '@tanstack/react-router'
import { plural } from '../../lib/plural.ts'
import { Badge } from '../../ui/badge.tsx'
import { CodeBlock, CopyButton } from '../../ui/copy-button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Answer } from './answer.ts'

/** The answer of one model: what it said, how fast, what it cost, and where its receipt is. */
export function AnswerView({ model, answer }: { readonly model: string; readonly answer: Answer }) {
  return (
    <article
      aria-label={`Answer of ${model}`}
      className="flex min-w-0 flex-col rounded-lg border border-line bg-surface"
    >
      <header className="flex items-center gap-2 border-line border-b px-3 py-2">
        <span className="min-w-0 flex-1 truncate font-mono text-xs">{model}</span>
        <StateBadge answer={answer} />
        {answer.text === '' ? null : <CopyButton text={answer.text} label="Copy the answer" />}
      </header>
      <div className="flex min-h-16 flex-1 flex-col gap-3 p-3 text-sm">
        {answer.reasoning === '' ? null : (
          <details className="text-muted text-xs">
            <summary>Reasoning</summary>
            <p className="mt-1 whitespace-pre-wrap break-words">{answer.reasoning}</p>
          </details>
        )}
        {answer.state === 'waiting' ? <Skeleton className="h-4 w-2/3" /> : null}
        {answer.text === '' ? null : <p className="whitespace-pre-wrap break-words">{answer.text}</p>}
        {answer.images.map((url, index) => (
          <img key={index} src={url} alt={`Made by ${model}`} className="max-w-full rounded-md border border-line" />
        ))}
        {answer.toolCalls.map((call, index) => (
          <CodeBlock key={index} code={`${call.name}(${call.arguments})`} label="Copy the tool call" />
        ))}
        {answer.error === null ? null : <ErrorNote error={answer.error} />}
      </div>
      <Figures answer={answer} />
    </article>
  )
}

function StateBadge({ answer: { state, finishReason } }: { readonly answer: Answer }) {
  switch (state) {
    case 'waiting':
      return <Badge>waiting</Badge>
    case 'streaming':
      return <Badge tone="accent">streaming</Badge>
    case 'stopped':
      return <Badge tone="warn">stopped</Badge>
    case 'failed':
      return <Badge tone="bad">failed</Badge>
    case 'done':
      return <Badge tone={finishReason === 'stop' ? 'good' : 'neutral'}>{finishReason ?? 'ended'}</Badge>
  }
}

function Figures({ answer }: { readonly answer: Answer }) {
  const { usage, firstTokenMs, totalMs, generationId } = answer
  if (firstTokenMs === null && totalMs === null) return null
  return (
    <footer className="figures flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-3 py-2 text-muted text-xs">
      {usage === null ? null : (
        <span title="Tokens of the prompt and of the answer">
          {Number(usage.promptTokens).toLocaleString('en')} → {plural(Number(usage.completionTokens), 'token')}
        </span>
      )}
      {firstTokenMs === null ? null : <span title="Measured in this browser">{seconds(firstTokenMs)} first token</span>}
      {totalMs === null ? null : <span title="Measured in this browser">{seconds(totalMs)} in all</span>}
      <span className="flex-1" />
      {usage?.cost === null || usage === null ? null : <Money usd={usage.cost} className="font-medium text-ink" />}
      {generationId === null || totalMs === null ? null : <ReceiptLink generationId={generationId} />}
    </footer>
  )
}

export function ReceiptLink({ generationId }: { readonly generationId: string }) {
  return (
    <Link
      to="/requests/$requestId"
      params={{ requestId: generationId }}
      className="text-accent-strong underline underline-offset-2"
    >
      Receipt
    </Link>
  )
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`
}
