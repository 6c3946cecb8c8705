import { useEffect, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** A window of its own of the given width, so that everything in it is laid out as on a phone. Its styles follow those of the page. */
export const Frame = ({ title, width, children }: { title: string; width: number; children: ReactNode }) => {
  const [frame, setFrame] = useState<HTMLIFrameElement | null>(null)
  const [body, setBody] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const inner = frame?.contentDocument
    if (!inner) return
    const follow = (): void => {
      inner.head.replaceChildren(
        ...[...document.head.querySelectorAll('style, link[rel="stylesheet"]')].map((style) => inner.importNode(style, true)),
      )
      inner.documentElement.dataset.theme = document.documentElement.dataset.theme
    }
    follow()
    inner.body.className = 'sb-design-frame-body'
    const observer = new MutationObserver(follow)
    observer.observe(document.head, { childList: true })
    // The document of the frame is made by the browser; it is there only now.
    queueMicrotask(() => setBody(inner.body))
    return () => observer.disconnect()
  }, [frame])
  return (
    <iframe ref={setFrame} title={title} className="sb-design-frame" style={{ width }}>
      {body && createPortal(children, body)}
    </iframe>
  )
}
