import { useState } from 'react'
import { exampleCall, modelKindOf } from '../../api/inference-call.ts'
import { type Language, languages, snippetOf } from '../../lib/snippets.ts'
import { CodeBlock } from '../../ui/copy-button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { Model } from '../../api/models.ts'

/** A first request to the model in three languages. */
export function HowToCall({ model }: { readonly model: Model }) {
  const [language, setLanguage] = useState<Language>('curl')
  const kind = modelKindOf(model.architecture.output_modalities)
  if (kind === undefined) {
    return <p className="text-muted text-sm">Weir doesn't support this model's output type.</p>
  }
  const call = exampleCall(kind, model.id, model.supported_voices?.[0])
  return (
    <Tabs
      label="Language"
      value={language}
      onChange={(next) => setLanguage(languages.find(({ id }) => id === next)?.id ?? 'curl')}
      tabs={languages.map(({ id, label }) => ({
        id,
        label,
        content: <CodeBlock code={snippetOf(id, call, location.origin)} />,
      }))}
    />
  )
}
