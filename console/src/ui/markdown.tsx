import { useDeferredValue, useId } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { CodeBlock } from './copy-button.tsx'

/**
 * Text of a model as Markdown. HTML in it is shown as text, and an image as a link, so the page loads nothing from
 * elsewhere. Loaded on demand by `formatted-text.tsx`.
 */
export default function MarkdownText({ text }: { readonly text: string }) {
  const prefix = useId()
  // A long answer grows faster than the browser can format it.
  const shown = useDeferredValue(text)
  return (
    <div className="markdown break-words">
      <Markdown remarkPlugins={[remarkGfm]} remarkRehypeOptions={{ clobberPrefix: prefix }} components={components}>
        {shown}
      </Markdown>
    </div>
  )
}

const components: Components = {
  a: ({ href, children }) => <Away to={href}>{children}</Away>,
  img: ({ src, alt }) => <Away to={src}>{alt === undefined || alt === '' ? 'Image' : alt}</Away>,
  pre: ({ node }) => <CodeBlock code={codeIn(node)} />,
  input: ({ checked }) => (
    <input type="checkbox" checked={checked} disabled aria-label={checked === true ? 'Done' : 'Not done'} />
  ),
  table: ({ children }) => (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
}

function Away({ to, children }: { readonly to: string | undefined; readonly children: React.ReactNode }) {
  if (to === undefined || to === '') return children
  return (
    <a href={to} target="_blank" rel="noreferrer" className="text-accent-strong underline underline-offset-2">
      {children}
    </a>
  )
}

interface Tree {
  readonly value?: string
  readonly children?: readonly object[]
}

/** The text of a code block, without the line break at its end. */
function codeIn(node: Tree | undefined): string {
  return textIn(node).replace(/\n$/, '')
}

function textIn(node: Tree | undefined): string {
  return node?.value ?? (node?.children ?? []).map((child) => textIn(child)).join('')
}
