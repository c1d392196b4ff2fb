import { lazy, Suspense } from 'react'

// The Markdown parser is as large as a page, so it is loaded with the first answer.
const MarkdownText = lazy(() => import('./markdown.tsx'))

/** Text of a model, formatted as Markdown once the parser is loaded. */
export function FormattedText({ text }: { readonly text: string }) {
  return (
    <Suspense fallback={<p className="whitespace-pre-wrap break-words">{text}</p>}>
      <MarkdownText text={text} />
    </Suspense>
  )
}
