import { useState } from 'react'
import { CodeBlock } from '../../ui/copy-button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { receiptScript } from './receipt-script.ts'

const languages = [
  { id: 'typescript', label: 'TypeScript' },
  { id: 'python', label: 'Python' },
] as const

/** The same computation as a program, so that readers can check it on their own machine. */
export function ReceiptScript({ requestId }: { readonly requestId: string }) {
  const [language, setLanguage] = useState<string>('typescript')
  return (
    <section aria-labelledby="receipt-script">
      <h3 id="receipt-script" className="mb-1 font-semibold text-sm">
        Verify this receipt
      </h3>
      <p className="mb-2 text-muted text-sm">Set WEIR_KEY to an API key for this account, then run the script.</p>
      <Tabs
        label="Language"
        value={language}
        onChange={setLanguage}
        tabs={languages.map(({ id, label }) => ({
          id,
          label,
          content: <CodeBlock code={receiptScript(id, requestId, location.origin)} label={`Copy ${label} script`} />,
        }))}
      />
    </section>
  )
}
