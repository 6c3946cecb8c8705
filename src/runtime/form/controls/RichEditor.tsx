import Link from '@tiptap/extension-link'
import { EditorContent, useEditor, useEditorState } from '@tiptap/react'
import type { AnyExtension, Editor, EditorOptions } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { Button, Input, Popover } from 'antd'
import DOMPurify from 'dompurify'
import { useEffect, useState, type ReactNode } from 'react'
import type { Locale } from '../../../schema/problem'
import { onEnter } from '../../typing'

/** What the buttons say. */
const EDITOR_TEXTS = {
  bold: { zh: '粗体', en: 'Bold' },
  italic: { zh: '斜体', en: 'Italic' },
  strike: { zh: '删除线', en: 'Strikethrough' },
  heading: { zh: '标题', en: 'Heading' },
  bulletList: { zh: '项目符号', en: 'Bullets' },
  orderedList: { zh: '编号', en: 'Numbers' },
  quote: { zh: '引用', en: 'Quote' },
  link: { zh: '链接', en: 'Link' },
  linkAddress: { zh: '链接地址', en: 'Address of the link' },
  undo: { zh: '撤销', en: 'Undo' },
  redo: { zh: '重做', en: 'Redo' },
} as const

type EditorText = keyof typeof EDITOR_TEXTS

/** What may stand in rich text. Styles, pictures and frames may not: they could call home. */
const ALLOWED = {
  ALLOWED_TAGS: [
    'p',
    'br',
    'strong',
    'b',
    'em',
    'i',
    's',
    'u',
    'h1',
    'h2',
    'h3',
    'ul',
    'ol',
    'li',
    'blockquote',
    'pre',
    'code',
    'a',
    'hr',
  ],
  ALLOWED_ATTR: ['href', 'target', 'rel'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|tel:|\/)/i,
}

/** Rich text without anything that could run or load from elsewhere. */
export const sanitize = (html: string): string => DOMPurify.sanitize(html, ALLOWED)

/** Rich text that may show pictures which go along with it. */
export const sanitizePictured = (html: string): string =>
  DOMPurify.sanitize(html, {
    ALLOWED_TAGS: [...ALLOWED.ALLOWED_TAGS, 'img'],
    ALLOWED_ATTR: [...ALLOWED.ALLOWED_ATTR, 'src', 'alt'],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|tel:|cid:|\/)/i,
  })

interface Tool {
  key: EditorText
  sign: string
  run(editor: Editor): void
  active?(editor: Editor): boolean
}

const TOOLS: readonly Tool[] = [
  {
    key: 'bold',
    sign: 'B',
    run: (editor) => editor.chain().focus().toggleBold().run(),
    active: (editor) => editor.isActive('bold'),
  },
  {
    key: 'italic',
    sign: 'I',
    run: (editor) => editor.chain().focus().toggleItalic().run(),
    active: (editor) => editor.isActive('italic'),
  },
  {
    key: 'strike',
    sign: 'S',
    run: (editor) => editor.chain().focus().toggleStrike().run(),
    active: (editor) => editor.isActive('strike'),
  },
  {
    key: 'heading',
    sign: 'H',
    run: (editor) => editor.chain().focus().toggleHeading({ level: 2 }).run(),
    active: (editor) => editor.isActive('heading'),
  },
  {
    key: 'bulletList',
    sign: '•',
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
    active: (editor) => editor.isActive('bulletList'),
  },
  {
    key: 'orderedList',
    sign: '1.',
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
    active: (editor) => editor.isActive('orderedList'),
  },
  {
    key: 'quote',
    sign: '❝',
    run: (editor) => editor.chain().focus().toggleBlockquote().run(),
    active: (editor) => editor.isActive('blockquote'),
  },
  { key: 'undo', sign: '↶', run: (editor) => editor.chain().focus().undo().run() },
  { key: 'redo', sign: '↷', run: (editor) => editor.chain().focus().redo().run() },
]

const Tools = ({ editor, locale, children }: { editor: Editor; locale: Locale; children?: ReactNode }) => {
  const t = (key: EditorText): string => EDITOR_TEXTS[key][locale]
  const active = useEditorState({
    editor,
    selector: ({ editor: now }) => TOOLS.map((tool) => tool.active?.(now) === true).join(),
  }).split(',')
  const [address, setAddress] = useState('')
  const [asking, setAsking] = useState(false)
  const setLink = (): void => {
    const href = address.trim()
    if (href === '') editor.chain().focus().unsetLink().run()
    else
      editor
        .chain()
        .focus()
        .extendMarkRange('link')
        .setLink({ href: /^[a-z]+:/i.test(href) ? href : `https://${href}` })
        .run()
    setAsking(false)
  }
  return (
    <div className="sb-rich-tools" role="toolbar">
      {TOOLS.map(({ key, sign, run }, index) => (
        <Button
          key={key}
          type="text"
          size="small"
          aria-label={t(key)}
          title={t(key)}
          aria-pressed={active[index] === 'true'}
          onClick={() => run(editor)}
        >
          {sign}
        </Button>
      ))}
      <Popover
        open={asking}
        onOpenChange={setAsking}
        trigger="click"
        content={
          <Input
            value={address}
            onChange={(event) => setAddress(event.target.value)}
            onKeyDown={onEnter(setLink)}
            placeholder="https://"
            aria-label={t('linkAddress')}
          />
        }
      >
        <Button
          type="text"
          size="small"
          onClick={() => {
            const { href } = editor.getAttributes('link')
            setAddress(typeof href === 'string' ? href : '')
          }}
        >
          {t('link')}
        </Button>
      </Popover>
      {children}
    </div>
  )
}

interface RichEditorProps {
  id: string
  locale: Locale
  html: string
  onChange(html: string | null): void
  fixed: boolean
  labelledBy: string
  describedBy?: string | undefined
  /** Makes HTML safe; without pictures unless it is said. */
  clean?: (html: string) => string
  extensions?: readonly AnyExtension[]
  handlers?: Pick<EditorOptions['editorProps'], 'handlePaste' | 'handleDrop' | 'handleKeyDown'>
  /** Further tools. */
  tools?: ReactNode
  onReady?(editor: Editor): void
}

/** Formatted text that is edited, kept as sanitised HTML. */
const RichEditor = ({
  id,
  locale,
  html: given,
  onChange,
  fixed,
  labelledBy,
  describedBy,
  clean = sanitize,
  ...more
}: RichEditorProps) => {
  const { extensions = [], handlers, tools, onReady } = more
  const html = clean(given)
  const editor = useEditor({
    extensions: [
      StarterKit,
      Link.configure({ openOnClick: false, protocols: ['http', 'https', 'mailto', 'tel'] }),
      ...extensions,
    ],
    content: html,
    editable: !fixed,
    editorProps: {
      ...handlers,
      attributes: {
        id,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': labelledBy,
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
      },
    },
    onCreate: ({ editor: made }) => onReady?.(made),
    onUpdate: ({ editor: now }) => onChange(now.isEmpty ? null : clean(now.getHTML())),
  })
  useEffect(() => {
    // a value from elsewhere (a linkage, a draft, "take theirs"); typing itself comes back unchanged
    if (editor && clean(editor.getHTML()) !== html && !(editor.isEmpty && html === '')) editor.commands.setContent(html, false)
  }, [editor, html, clean])
  useEffect(() => {
    editor?.setEditable(!fixed, false)
  }, [editor, fixed])
  return (
    <div className="sb-rich">
      {editor && !fixed ? (
        <Tools editor={editor} locale={locale}>
          {tools}
        </Tools>
      ) : null}
      <EditorContent editor={editor} />
    </div>
  )
}

export default RichEditor
