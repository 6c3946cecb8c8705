import { PictureOutlined } from '@ant-design/icons'
import { Node, type Editor } from '@tiptap/react'
import { Button } from 'antd'
import { useMemo, useRef } from 'react'
import RichEditor, { sanitizePictured } from '../../../runtime/form/controls/RichEditor'
import { useHost } from '../../../runtime/hostContext'
import { isSend } from '../../../runtime/typing'
import type { Host } from '../../../headless/host'
import type { MailFile } from './calls'
import { composeTexts } from './texts'

const FILES = '/v2/download/downloadCenter/api/file'

/** A picture that goes along with the mail and stands in its text: `cid:` and the id of its upload. */
const pictureNode = (host: Host) =>
  Node.create({
    name: 'picture',
    group: 'block',
    draggable: true,
    addAttributes: () => ({ src: { default: '' }, alt: { default: '' } }),
    parseHTML: () => [{ tag: 'img[src^="cid:"]' }],
    renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
    addNodeView:
      () =>
      ({ node }) => {
        const dom = document.createElement('img')
        const { src, alt } = node.attrs as { src: string; alt: string }
        dom.alt = alt
        dom.className = 'sb-write-picture'
        const id = src.slice('cid:'.length)
        host
          .request<{ url: string }>({
            method: 'POST',
            path: `${FILES}/${encodeURIComponent(id)}/ticket`,
            body: { inline: true },
          })
          .then(
            ({ url }) => (dom.src = url),
            // its name stands in its place
            () => undefined,
          )
        return { dom }
      },
  })

interface BodyProps {
  html: string
  labelledBy: string
  focused: boolean
  onChange(html: string): void
  /** Takes files; answers those that arrived. */
  onFiles(files: readonly File[]): Promise<MailFile[]>
  onSend(): void
}

const isPicture = (file: File): boolean => /^image\/(?:png|jpe?g|gif|webp)$/u.test(file.type)

/** The text of a letter: what is pasted as a picture stands in it, other files go along. */
const Body = ({ html, labelledBy, focused, onChange, onFiles, onSend }: BodyProps) => {
  const host = useHost()
  const texts = composeTexts[host.locale]
  const extensions = useMemo(() => [pictureNode(host)], [host])
  const editor = useRef<Editor | null>(null)
  // the editor keeps the handlers that it was made with
  const latest = useRef({ onFiles, onSend })
  latest.current = { onFiles, onSend }
  const picker = useRef<HTMLInputElement>(null)
  const insert = async (files: readonly File[]): Promise<void> => {
    for (const { id, name } of await latest.current.onFiles(files))
      editor.current
        ?.chain()
        .focus()
        .insertContent({ type: 'picture', attrs: { src: `cid:${id}`, alt: name } })
        .run()
  }
  const take = (files: readonly File[]): boolean => {
    if (files.length === 0) return false
    const pictures = files.filter(isPicture)
    if (pictures.length > 0) void insert(pictures)
    const others = files.filter((file) => !isPicture(file))
    if (others.length > 0) void latest.current.onFiles(others)
    return true
  }
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        hidden
        aria-label={texts.picture}
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])]
          event.target.value = ''
          take(chosen)
        }}
      />
      <RichEditor
        id={`${labelledBy}-text`}
        locale={host.locale}
        html={html}
        fixed={false}
        labelledBy={labelledBy}
        clean={sanitizePictured}
        extensions={extensions}
        onChange={(text) => onChange(text ?? '')}
        onReady={(made) => {
          editor.current = made
          if (focused) made.commands.focus('start')
        }}
        handlers={{
          handlePaste: (_view, event) => {
            const files = [...(event.clipboardData?.files ?? [])]
            // what comes from a document has its text beside its picture
            return event.clipboardData?.getData('text/html') ? false : take(files)
          },
          handleKeyDown: (_view, event) => {
            if (!isSend(event)) return false
            latest.current.onSend()
            return true
          },
        }}
        tools={
          <Button
            type="text"
            size="small"
            icon={<PictureOutlined />}
            aria-label={texts.picture}
            title={texts.picture}
            onClick={() => picker.current?.click()}
          />
        }
      />
    </>
  )
}
export default Body
