/** Outside inputs, copied text is the trimmed plain selected text (R296); inside inputs copying is left alone (R297). */
export function handleCopies(from: Document): () => void {
  const onCopy = (event: ClipboardEvent) => {
    if (event.defaultPrevented || isEditable(event.target) || isEditable(from.activeElement)) return
    const text = from.getSelection()?.toString().trim() ?? ''
    if (text === '' || event.clipboardData === null) return
    event.clipboardData.setData('text/plain', text)
    event.preventDefault()
  }
  from.addEventListener('copy', onCopy)
  return () => from.removeEventListener('copy', onCopy)
}

function isEditable(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, [contenteditable=""], [contenteditable="true"]') !== null)
  )
}

/** Puts a text into the clipboard; also where the page has no secure context. Rejects when the browser refuses. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('readonly', '')
  area.style.cssText = 'position:fixed;inset-block-start:0;opacity:0'
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (!done) throw new Error('copy was refused')
}
