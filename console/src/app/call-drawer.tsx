import { useState, useSyncExternalStore } from 'react'
import { callLog } from '../api/call-log.ts'
import { type Language, languages, snippetOf } from '../lib/snippets.ts'
import { Badge } from '../ui/badge.tsx'
import { CodeBlock } from '../ui/copy-button.tsx'
import { Sheet } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SelectField } from '../ui/field.tsx'

/** The API requests of the page, as code. Everything the console does is possible through the API. */
export default function CallDrawer({ onClose }: { readonly onClose: () => void }) {
  const calls = useSyncExternalStore(callLog.subscribe, callLog.read)
  const [language, setLanguage] = useState<Language>('curl')
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title="API calls on this page"
      description="Set WEIR_KEY to one of your API keys to run these calls. Managing keys or organizations requires a management key."
    >
      <SelectField
        label="Language"
        value={language}
        onChange={(event) => setLanguage(languages.find(({ id }) => id === event.target.value)?.id ?? 'curl')}
        choices={languages.map(({ id, label }) => ({ value: id, label }))}
      />
      {calls.length === 0 ? <EmptyState title="No API calls yet" /> : null}
      <ol className="mt-4 flex flex-col gap-5">
        {calls.map((call) => (
          <li key={call.id}>
            <div className="mb-1.5 flex items-center gap-2 text-sm">
              <Badge tone={call.status < 400 ? 'good' : 'bad'}>{call.status}</Badge>
              <span className="min-w-0 truncate font-mono text-xs">
                {call.method} {call.path}
              </span>
              <span className="figures ml-auto text-muted text-xs">{Math.round(call.elapsedMs)} ms</span>
            </div>
            <CodeBlock code={snippetOf(language, call, location.origin)} />
          </li>
        ))}
      </ol>
    </Sheet>
  )
}
