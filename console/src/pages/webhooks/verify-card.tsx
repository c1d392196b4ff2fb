import { useState } from 'react'
import { CodeBlock } from '../../ui/copy-button.tsx'
import { Card } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { verifyCode } from './verify-code.ts'

const languages = [
  { id: 'typescript', label: 'TypeScript' },
  { id: 'python', label: 'Python' },
] as const

/** How a program verifies a webhook of this gateway. */
export function VerifyCard() {
  const [language, setLanguage] = useState<string>('typescript')
  return (
    <Card title="Verify signatures">
      <p className="mb-2 text-muted text-sm">
        Signatures follow the Standard Webhooks spec, so any compatible library works. Pass the raw request body, before
        parsing.
      </p>
      <Tabs
        label="Language"
        value={language}
        onChange={setLanguage}
        tabs={languages.map(({ id, label }) => ({
          id,
          label,
          content: <CodeBlock code={verifyCode[id]} label={`Copy ${label} code`} />,
        }))}
      />
    </Card>
  )
}
