const written = 'http://127.0.0.1:8484'

let isQueued = false

/**
 * Snippets of the reference name the address of `npm run dev`. A gateway that serves this site answers at the site's
 * own address, which the forms of the page call too, so its snippets show that one. The forms of a page are mounted
 * together, and the page is searched once.
 */
export function showOwnOrigin() {
  if (isQueued) return
  isQueued = true
  queueMicrotask(() => {
    isQueued = false
    const texts = document.createTreeWalker(document.querySelector('.vp-doc') ?? document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      if (node.nodeValue.includes(written)) node.nodeValue = node.nodeValue.replaceAll(written, location.origin)
    }
  })
}
