import { Check, Pencil, X } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { budgetRule, usdText } from '../lib/budget-rule.ts'
import type { ExactNumber } from '../lib/money.ts'
import { IconButton } from './button.tsx'
import { errorWords } from './error-note.tsx'
import { TextField } from './field.tsx'
import { Money } from './money.tsx'

interface InlineAmountProps {
  readonly label: string
  readonly value: ExactNumber | null
  /** Undefined if the role may not change it. */
  readonly onSave: ((text: string) => Promise<unknown>) | undefined
  /** Shown below the field while it is edited. */
  readonly preview?: ((text: string) => ReactNode) | undefined
}

/** An optional amount that is edited in its place. Enter saves, Escape cancels, an empty field means none. */
export function InlineAmount({ label, value, onSave, preview }: InlineAmountProps) {
  const [isEdited, setEdited] = useState(false)
  if (isEdited && onSave !== undefined) {
    return <AmountForm label={label} value={value} onSave={onSave} preview={preview} onClose={() => setEdited(false)} />
  }
  return (
    <span className="inline-flex items-center gap-1">
      {value === null ? <span className="text-muted">no budget</span> : <Money usd={value} short />}
      {onSave === undefined ? null : (
        <IconButton label={`Edit: ${label}`} className="size-6!" onClick={() => setEdited(true)}>
          <Pencil size={13} aria-hidden="true" />
        </IconButton>
      )}
    </span>
  )
}

interface AmountFormProps extends InlineAmountProps {
  readonly onSave: (text: string) => Promise<unknown>
  readonly onClose: () => void
}

function AmountForm({ label, value, onSave, preview, onClose }: AmountFormProps) {
  const [text, setText] = useState(usdText(value))
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!budgetRule.pattern.value.test(text)) {
      setError(budgetRule.pattern.message)
      return
    }
    setBusy(true)
    try {
      await onSave(text)
      onClose()
    } catch (caught) {
      setError(errorWords(caught))
      setBusy(false)
    }
  }
  return (
    <form
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => (event.key === 'Escape' ? onClose() : undefined)}
      className="flex flex-wrap items-start gap-1"
      noValidate
    >
      <div className="w-32">
        <TextField
          label={`${label} (USD)`}
          isLabelHidden
          inputMode="decimal"
          placeholder="None"
          autoFocus
          value={text}
          error={error}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <IconButton label="Save" type="submit" disabled={isBusy}>
        <Check size={16} aria-hidden="true" />
      </IconButton>
      <IconButton label="Cancel" onClick={onClose}>
        <X size={16} aria-hidden="true" />
      </IconButton>
      {preview === undefined ? null : <div className="basis-full">{preview(text)}</div>}
    </form>
  )
}
