import { useEffect, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** A window of its own of the given width, so that everything in it is laid out as on a phone. Its styles follow those of the page. */
export const Frame = ({ title, width, children }: { title: string; width: number; children: ReactNode }) => {
  const [inner, setInner] = useState<Document | null>(null)
  const [body, setBody] = useState<HTMLElement | null>(null)
  useEffect(() => {
    if (!inner) return
    const copies = new Map<Element, Node>()
    const follow = (): void => {
      const present = new Set(document.head.querySelectorAll('style, link[rel="stylesheet"]'))
      for (const [style, copy] of copies) {
        if (present.has(style)) continue
        copy.parentNode?.removeChild(copy)
        copies.delete(style)
      }
      // One by one: a stylesheet that is there already must not be loaded again.
      for (const style of present) {
        if (copies.has(style)) continue
        const copy = inner.importNode(style, true)
        copies.set(style, copy)
        inner.head.append(copy)
      }
      inner.documentElement.dataset.theme = document.documentElement.dataset.theme
    }
    follow()
    inner.body.className = 'sb-design-frame-body'
    const observer = new MutationObserver(follow)
    observer.observe(document.head, { childList: true })
    // The document of the frame is made by the browser; it is there only now.
    queueMicrotask(() => setBody(inner.body))
    return () => observer.disconnect()
  }, [inner])
  return (
    <iframe
      ref={(frame) => setInner(frame?.contentDocument ?? null)}
      // Some browsers put another empty document in its place first.
      onLoad={(event) => setInner(event.currentTarget.contentDocument)}
      title={title}
      className="sb-design-frame"
      style={{ width }}
    >
      {body && createPortal(children, body)}
    </iframe>
  )
}
