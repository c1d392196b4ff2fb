import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { tryFilters } from '../../api/filters.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { TrialResult } from './trial-result.tsx'

/** Tries all enabled filters on a text, without a request to a model. */
export function TryFiltersCard({ organizationId }: { readonly organizationId: string }) {
  const [text, setText] = useState('')
  const trial = useMutation({ mutationFn: (tried: string) => tryFilters(organizationId, { text: tried }) })
  return (
    <Card title="Test all filters" description="Checks a text against every enabled filter. No model is called.">
      <div className="flex flex-col gap-3">
        <TextArea label="Text" rows={3} value={text} onChange={({ target }) => setText(target.value)} />
        <Button
          className="self-start"
          disabled={text.trim() === ''}
          isBusy={trial.isPending}
          onClick={() => trial.mutate(text)}
        >
          Test filters
        </Button>
        {trial.error === null ? null : <ErrorNote error={trial.error} />}
        {trial.data === undefined ? null : <TrialResult trial={trial.data} text={trial.variables} />}
      </div>
    </Card>
  )
}
