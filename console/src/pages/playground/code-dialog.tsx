import { useState } from 'react'
import { shortenData } from '../../api/call-model.ts'
import type { InferenceCall } from '../../api/inference-call.ts'
import { type Language, languages, snippetOf } from '../../lib/snippets.ts'
import { CodeBlock } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Tabs } from '../../ui/tabs.tsx'

/** The playground's requests as code for a program with its own key. */
export function CodeDialog({
  calls,
  onClose,
}: {
  readonly calls: readonly InferenceCall[]
  readonly onClose: () => void
}) {
  const [language, setLanguage] = useState<Language>('curl')
  return (
    <Dialog isOpen onClose={onClose} title="View code" description="Set WEIR_KEY to your API key." size="wide">
      <Tabs
        label="Language"
        value={language}
        onChange={(next) => setLanguage(languages.find(({ id }) => id === next)?.id ?? 'curl')}
        tabs={languages.map(({ id, label }) => ({
          id,
          label,
          content: (
            <div className="flex flex-col gap-3">
              {calls.map((call, index) => (
                <CodeBlock
                  key={index}
                  code={snippetOf(
                    id,
                    { ...call, body: call.body === null ? null : shortenData(call.body) },
                    location.origin,
                  )}
                />
              ))}
            </div>
          ),
        }))}
      />
    </Dialog>
  )
}
